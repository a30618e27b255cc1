package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.InvalidRecordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"scalar\"",
                "12345678901234567890.1e400",
                "true",
                "null",
                " {\"a\" : [1, {\"b\": null}]} \n",
                "{\"a\":1,\"a\":2}",
                "\"\\u0000\"",
                "\"\uD83D\uDEEB \u0645\u0631\u062D\u0628\u0627\""
            })
    void acceptsOneJsonValue(String json) {
        assertThatCode(() -> JsonText.check("payload", json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{} {}",
                "1 2",
                "{\"a\":}",
                "{a:1}",
                "[1,]",
                "01",
                "tru",
                "'a'",
                "\"a",
                "\"\n\"",
                "\"\u0000\"",
                "\u0000",
                "{}x",
                "NaN"
            })
    void refusesAnythingElse(String text) {
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> JsonText.check("payload", text));
    }

    @Test
    void acceptsNestingUpToItsLimit() {
        assertThatCode(() -> JsonText.check("payload", nested(JsonText.MAX_DEPTH)))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> JsonText.check("payload", nested(100_000)))
                .withMessage("payload nests deeper than 500 levels");
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }
}
