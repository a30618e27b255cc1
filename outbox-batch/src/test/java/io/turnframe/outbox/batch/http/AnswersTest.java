package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from an answer: its meaning where a destination has its own, the wait it asks for, its reference. */
class AnswersTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");

    @Test
    void goesByTheDestinationsOwnTableFirstAndByASingleStatusBeforeItsClass() {
        AnswerTable table = table("409=confirmed, 404 = unknown,5xx=not-arrived,501=refused, 202=unknown");
        assertThat(table.of(409, false)).isEqualTo(Meaning.CONFIRMED);
        assertThat(table.of(404, false)).isEqualTo(Meaning.UNKNOWN);
        assertThat(table.of(503, false)).isEqualTo(Meaning.NOT_ARRIVED);
        assertThat(table.of(501, false)).isEqualTo(Meaning.REFUSED);
        assertThat(table.of(202, false)).isEqualTo(Meaning.UNKNOWN);
        assertThat(table.of(201, false)).isEqualTo(Meaning.CONFIRMED);
        assertThat(table.of(401, false)).isEqualTo(Meaning.TROUBLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"409", "409=", "409=perhaps", "4=refused", "600=refused", "xx=refused", "409:confirmed"})
    void refusesATableThatItCannotRead(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table(text))
                .withMessage("answers is '" + text + "'; write a list such as 409=confirmed, 5xx=not-arrived,"
                        + " with confirmed, not-arrived, refused, trouble, unknown behind the signs");
    }

    @Test
    void waitsAsLongAsTheRemoteAsksWithinADay() {
        assertThat(RetryAfter.read("7", NOW)).isEqualTo(NOW.plusSeconds(7));
        assertThat(RetryAfter.read("0", NOW)).isEqualTo(NOW);
        assertThat(RetryAfter.read("Sun, 01 Nov 2026 12:01:00 GMT", NOW)).isEqualTo(NOW.plusSeconds(60));
        assertThat(RetryAfter.read("Sun, 01 Nov 2020 12:01:00 GMT", NOW)).isEqualTo(NOW);
        assertThat(RetryAfter.read("Sun, 01 Nov 2099 12:01:00 GMT", NOW)).isEqualTo(NOW.plusSeconds(86_400));
        assertThat(RetryAfter.read("999999999", NOW)).isEqualTo(NOW.plusSeconds(86_400));
        assertThat(RetryAfter.read("99999999999999999999", NOW)).isEqualTo(NOW.plusSeconds(86_400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1e9", "1.5", "Mon, 32 Nov 2026 12:01:00 GMT"})
    void takesAnUnreadableWaitForNone(String value) {
        assertThat(RetryAfter.read(value, NOW)).isNull();
        assertThat(RetryAfter.read(null, NOW)).isNull();
    }

    @Test
    void findsTheReferenceInTheBody() {
        assertThat(pointed("/ref/0", "{\"ref\":[\"PNR\"]}")).isEqualTo("PNR");
        assertThat(pointed("/ref", "{\"ref\":7}")).isEqualTo("7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "<html>", "[]", "{\"ref\":null}", "{\"ref\":{}}", "{\"other\":1}", "{\"ref\"", "\"scalar\""})
    void findsNoneWhereTheBodyHasNone(String body) {
        assertThat(pointed("/ref", body)).isNull();
    }

    @Test
    void findsNoneInABodyThatNestsWithoutEnd() {
        assertThat(pointed("/ref", "[".repeat(100_000))).isNull();
    }

    private static AnswerTable table(String text) {
        return AnswerTable.parse(false, "answers", text);
    }

    private static String pointed(String pointer, String body) {
        return new JsonText("reference-pointer", pointer).in(body.getBytes(StandardCharsets.UTF_8));
    }
}
