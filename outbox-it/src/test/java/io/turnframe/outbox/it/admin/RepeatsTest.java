package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.Repeats.Act;
import io.turnframe.outbox.it.admin.Repeats.Attempt;
import io.turnframe.outbox.it.admin.Repeats.Reply;
import io.turnframe.outbox.it.admin.Repeats.Request;
import io.turnframe.outbox.it.admin.Repeats.Story;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The checker sees what it is there to see. */
class RepeatsTest {
    private static final String UNEXPLAINED = "nothing let attempt 2 be sent after attempt 1";

    private static final List<Act> NO_ACTS = List.of();

    @Test
    void letsOneRequestBeAndRetriesOfAnAnswerThatAllowsThem() {
        assertThat(check(requests("unknown"), NO_ACTS)).isEmpty();
        assertThat(check(requests("retryable", "retryable", "completed"), NO_ACTS))
                .isEmpty();
    }

    @Test
    void wantsAReasonForEveryOtherRepeat() {
        for (String answer : List.of("unknown", "permanent", "completed", "late", "silent")) {
            assertThat(check(requests(answer, "completed"), NO_ACTS)).as(answer).containsExactly(UNEXPLAINED);
        }
        assertThat(check(requests("retryable", "unknown", "completed"), NO_ACTS))
                .containsExactly("nothing let attempt 3 be sent after attempt 2");
    }

    @Test
    void takesAnAuthorisationOfThatAttemptAndOfNoOther() {
        List<Request> requests = requests("unknown", "completed");
        assertThat(check(requests, authorised(1))).isEmpty();
        assertThat(check(requests, authorised(0))).containsExactly(UNEXPLAINED);
        assertThat(check(requests, authorised(2))).containsExactly(UNEXPLAINED);
        assertThat(check(requests, List.of(new Act(1, "resubmit", "pending", null))))
                .isEmpty();
        assertThat(check(requests("unknown", "unknown", "completed"), authorised(1)))
                .containsExactly("nothing let attempt 3 be sent after attempt 2");
    }

    @Test
    void wantsEvidenceForAResend() {
        assertThat(check(requests("unknown", "completed"), List.of(new Act(1, "authorise-resend", "pending", " "))))
                .containsExactly(UNEXPLAINED);
    }

    @Test
    void takesNoOtherActForOne() {
        for (String act : List.of("complete", "fail", "reschedule", "request-resend", "erase-payload", "release")) {
            assertThat(check(requests("unknown", "completed"), List.of(new Act(1, act, "pending", "n"))))
                    .as(act)
                    .containsExactly(UNEXPLAINED);
        }
    }

    @Test
    void takesAQuestionWhoseAnswerWasResend() {
        List<Request> requests = requests("unknown", "completed");
        assertThat(check(requests, List.of(new Act(1, "reconcile", "pending", null))))
                .isEmpty();
        assertThat(check(requests, List.of(new Act(1, "reconcile", "outcome_unknown", null))))
                .containsExactly(UNEXPLAINED);
        assertThat(check(requests, new Story(false, journal(requests), NO_ACTS, List.of(new Reply(1, "resend")))))
                .isEmpty();
        for (Reply other : List.of(new Reply(1, "unresolved"), new Reply(1, "failed"), new Reply(2, "resend"))) {
            assertThat(check(requests, new Story(false, journal(requests), NO_ACTS, List.of(other))))
                    .containsExactly(UNEXPLAINED);
        }
    }

    @Test
    void takesAnAbandonedClaimOnlyWhereTheRemoteDeduplicates() {
        List<Request> requests = requests("completed", "completed");
        List<Act> released = List.of(new Act(1, "release", "pending", null));
        assertThat(check(requests, new Story(true, journal(requests), released, List.of())))
                .isEmpty();
        assertThat(check(requests, new Story(false, journal(requests), released, List.of())))
                .containsExactly(UNEXPLAINED);
    }

    @Test
    void takesNoRetryAfterAVerdictOrBeyondTheBudget() {
        assertThat(check(requests("retryable", "completed"), List.of(new Act(1, "fail", "failed", null))))
                .containsExactly(UNEXPLAINED);
        List<Request> four = requests("retryable", "retryable", "retryable", "retryable");
        assertThat(check(four, NO_ACTS)).containsExactly("nothing let attempt 4 be sent after attempt 3");
        assertThat(check(four, List.of(new Act(2, "resubmit", "pending", null))))
                .isEmpty();
    }

    @Test
    void holdsTheJournalAgainstTheWire() {
        List<Request> requests = requests("retryable", "completed");
        assertThat(check(requests, new Story(false, journal(requests).subList(1, 2), authorised(1), List.of())))
                .containsExactly("attempt 1 is not in the journal");
        assertThat(check(requests.subList(0, 1), new Story(false, journal(requests), NO_ACTS, List.of())))
                .containsExactly("attempt 2 is in the journal and never arrived");
        List<Attempt> unknown = List.of(new Attempt(1, false, "unknown"), new Attempt(2, false, "completed"));
        assertThat(check(requests, new Story(false, unknown, NO_ACTS, List.of())))
                .containsExactly(UNEXPLAINED);
    }

    @Test
    void seesAnAttemptThatIsSentTwiceAndOtherBytes() {
        List<Request> twice = List.of(new Request(1, "completed", "{}"), new Request(1, "completed", "{}"));
        assertThat(check(twice, authorised(1))).contains("attempt 1 was sent twice");
        List<Request> other = List.of(new Request(1, "retryable", "{}"), new Request(2, "completed", "{ }"));
        assertThat(check(other, NO_ACTS)).containsExactly("attempt 2 sent other bytes");
    }

    private static List<String> check(List<Request> requests, List<Act> acts) {
        return check(requests, new Story(false, journal(requests), acts, List.of()));
    }

    private static List<String> check(List<Request> requests, Story story) {
        return new Repeats(3).unexplained(requests, story);
    }

    private static List<Act> authorised(int attempt) {
        return List.of(new Act(attempt, "authorise-resend", "pending", "not on their list"));
    }

    private static List<Request> requests(String... answers) {
        return IntStream.range(0, answers.length)
                .mapToObj(n -> new Request(n + 1, answers[n], "{}"))
                .toList();
    }

    /** One row for each, as it should be. */
    private static List<Attempt> journal(List<Request> requests) {
        return requests.stream()
                .map(request -> new Attempt(request.attempt(), false, request.answer()))
                .distinct()
                .toList();
    }
}
