package io.turnframe.outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An honest sender breaks no rule, and each rule is found broken by one that breaks it. */
@Timeout(120)
class SenderCheckTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Test
    void findsNothingWrongWithAnHonestSender() throws IOException {
        assertThat(check(url -> entry -> honest(url, entry))).isEmpty();
    }

    @Test
    void findsASenderThatRepeatsWhatMayHaveArrived() throws IOException {
        assertThat(check(url -> entry -> {
                    Dispatched answer = honest(url, entry);
                    return answer.kind() == Dispatched.Kind.UNKNOWN ? Dispatched.retryable("crm.failed") : answer;
                }))
                .contains("has an error: RETRYABLE is wrong, for the effect may happen twice; allowed: [UNKNOWN]")
                .anyMatch(rule -> rule.startsWith("closes after the request: RETRYABLE"))
                .anyMatch(rule -> rule.startsWith("says nothing: RETRYABLE"));
    }

    @Test
    void allowsThatWhereTheRemoteDeduplicates() throws IOException {
        try (ScriptedRemote remote = ScriptedRemote.start()) {
            assertThat(SenderCheck.of(remote, entry -> {
                                Dispatched answer = honest(remote.url(), entry);
                                return answer.kind() == Dispatched.Kind.UNKNOWN
                                        ? Dispatched.retryable("crm.failed")
                                        : answer;
                            })
                            .deduplicating()
                            .run())
                    .isEmpty();
        }
    }

    @Test
    void findsASenderThatTakesEveryAnswerForAConfirmation() throws IOException {
        assertThat(check(url -> entry -> {
                    honest(url, entry);
                    return Dispatched.completed();
                }))
                .anyMatch(rule -> rule.startsWith("refuses: COMPLETED is wrong, for the effect may be missing"))
                .anyMatch(rule -> rule.startsWith("closes after the request: COMPLETED"));
    }

    @Test
    void findsASenderThatFailsWhatMayHaveArrived() throws IOException {
        assertThat(check(url -> entry -> {
                    Dispatched answer = honest(url, entry);
                    return answer.kind() == Dispatched.Kind.UNKNOWN ? Dispatched.permanent("crm.failed") : answer;
                }))
                .anyMatch(rule -> rule.startsWith("closes within its answer: PERMANENT is wrong"));
    }

    @Test
    void findsASenderThatSendsAgainByItself() throws IOException {
        assertThat(check(url -> entry -> {
                    Dispatched first = honest(url, entry);
                    return first.kind() == Dispatched.Kind.COMPLETED ? first : honest(url, entry);
                }))
                .anyMatch(rule -> rule.startsWith("has an error: one call made 2 requests"));
    }

    @Test
    void findsASenderThatKeepsTheKeyToItself() throws IOException {
        assertThat(check(url -> entry -> send(url, entry, "another key")))
                .contains("confirms: the request lacks the entry's idempotencyKey(), or has another in its place");
    }

    @Test
    void findsASenderThatThrowsOrAnswersNull() throws IOException {
        assertThat(check(url -> entry -> {
                    if (honest(url, entry).kind() == Dispatched.Kind.PERMANENT) {
                        throw new IllegalStateException("refused");
                    }
                    return null;
                }))
                .contains("confirms: null is no answer; answer unknown()")
                .anyMatch(rule -> rule.startsWith("refuses: it threw java.lang.IllegalStateException"));
    }

    @Test
    void findsCodesThatAreNoNames() throws IOException {
        assertThat(check(url -> entry -> honest(url, entry).kind() == Dispatched.Kind.COMPLETED
                        ? Dispatched.completed()
                        : Dispatched.retryable("refused: " + entry.payload())))
                .contains("refuses: the code holds something of the payload; codes are names, such as crm.busy");
        assertThat(SenderCheck.judge(SenderCheck.Effect.NONE, false, Dispatched.permanent("not now, please")))
                .containsExactly("the code 'not now, please' is no stable name; write one such as crm.busy");
    }

    @Test
    void findsASenderThatDoesNotHeedTheInterrupt() throws IOException {
        try (ScriptedRemote remote = ScriptedRemote.start()) {
            assertThat(SenderCheck.of(remote, entry -> deaf(() -> honest(remote.url(), entry)))
                            .patience(Duration.ofSeconds(2))
                            .run())
                    .contains("says nothing, and the sender is interrupted: it did not come back in PT2S;"
                            + " heed the interrupt, and give every wait a timeout of its own");
        }
    }

    @Test
    void judgesAnswersOfAnySender() {
        assertThat(SenderCheck.judge(SenderCheck.Effect.CONFIRMED, false, Dispatched.completed()))
                .isEmpty();
        assertThat(SenderCheck.judge(SenderCheck.Effect.CONFIRMED, false, Dispatched.unknown()))
                .hasSize(1);
        assertThat(SenderCheck.judge(SenderCheck.Effect.NONE, false, Dispatched.unavailable("crm.down")))
                .isEmpty();
        assertThat(SenderCheck.judge(SenderCheck.Effect.UNKNOWN, true, Dispatched.retryable("crm.lost")))
                .isEmpty();
        assertThat(SenderCheck.judge(SenderCheck.Effect.UNKNOWN, false, null)).hasSize(1);
    }

    private static List<String> check(Function<URI, OutboxSender> sender) throws IOException {
        try (ScriptedRemote remote = ScriptedRemote.start()) {
            return SenderCheck.of(remote, sender.apply(remote.url())).run();
        }
    }

    private static Dispatched honest(URI url, OutboxEntry entry) {
        return send(url, entry, entry.idempotencyKey());
    }

    private static Dispatched send(URI url, OutboxEntry entry, String key) {
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(entry.payload()))
                .build();
        try {
            int status =
                    HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return switch (status) {
                case 201 -> Dispatched.completed();
                case 422 -> Dispatched.permanent("crm.refused");
                case 503 -> Dispatched.retryable("crm.busy");
                default -> Dispatched.unknown();
            };
        } catch (IOException lost) {
            return Dispatched.unknown();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return Dispatched.unknown();
        }
    }

    /** Goes on waiting whatever interrupts it, for as long as the remote says nothing. */
    private static Dispatched deaf(Supplier<Dispatched> call) {
        Dispatched answer = call.get();
        while (Thread.interrupted()) {
            answer = call.get();
        }
        return answer;
    }
}
