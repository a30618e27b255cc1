package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTagTest {
    @Test
    void tellsTheTextWithThePayloadFromTheOneWithout() {
        assertThat(RecordTag.of("v-1_", true)).isEqualTo("\"v-1_.p\"");
        assertThat(RecordTag.of("v-1_", false)).isEqualTo("\"v-1_\"");
    }

    @Test
    void asksForTheVersionWhoeverSawIt() {
        assertThat(RecordTag.versions("\"v-1_\"")).containsExactly("v-1_");
        assertThat(RecordTag.versions("\"v-1_.p\"")).containsExactly("v-1_");
        assertThat(RecordTag.versions(" \"a\" ,\"b.p\",  \"c\"")).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void asksForNothingWithoutAHeaderOrForAnyVersion() {
        assertThat(RecordTag.versions(null)).isNull();
        assertThat(RecordTag.versions(" * ")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "v1", "W/\"v1\"", "\"v1", "W/\"v1\", v1", ","})
    void takesNoWeakTagAndNothingElseForAVersion(String header) {
        assertThat(RecordTag.versions(header)).isEmpty();
    }

    @Test
    void knowsATextThatTheCallerHas() {
        assertThat(RecordTag.isKnown(null, RecordTag.of("a", false))).isFalse();
        assertThat(RecordTag.isKnown("*", RecordTag.of("a", false))).isTrue();
        assertThat(RecordTag.isKnown("\"b\", W/\"a\"", RecordTag.of("a", false)))
                .isTrue();
        assertThat(RecordTag.isKnown("\"a\"", RecordTag.of("a", true))).isFalse();
        assertThat(RecordTag.isKnown("\"a.p\"", RecordTag.of("a", true))).isTrue();
    }
}
