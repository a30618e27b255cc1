package io.turnframe.outbox.it.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what a remote saw of one key against what is on record of its entry: every request after the first names what let
 * it be sent, which lies between the attempt before and its own.
 */
final class Repeats {
    private static final Set<String> VERDICTS = Set.of("complete", "fail");

    private final int maxAttempts;
    private final Map<String, Integer> explained = new HashMap<>();

    /** @param maxAttempts the budget of an entry, whole again after each resubmit */
    Repeats(int maxAttempts) {
        this.maxAttempts = maxAttempts;
    }

    /** What the remote got, and how it answered. */
    record Request(int attempt, String answer, String payload) {}

    /** A row of the journal. */
    record Attempt(int attempt, boolean late, String outcome) {}

    /** A row of the audit; {@code attempt} is the entry's count of attempts when it was done. */
    record Act(int attempt, String act, String toStatus, String note) {}

    /** What a reconciler answered, and settled the entry by. */
    record Reply(int attempt, String answer) {}

    /** What is on record of an entry. */
    record Story(boolean deduplicates, List<Attempt> attempts, List<Act> acts, List<Reply> replies) {}

    /** How many repeats were let by what. */
    Map<String, Integer> explained() {
        return Map.copyOf(explained);
    }

    /** What is wrong; nothing if every request is accounted for. */
    List<String> unexplained(List<Request> requests, Story story) {
        List<String> wrong = new ArrayList<>();
        List<Request> inOrder =
                requests.stream().sorted(Comparator.comparing(Request::attempt)).toList();
        Set<Integer> sent = new HashSet<>();
        for (Request request : inOrder) {
            if (!sent.add(request.attempt())) {
                wrong.add("attempt " + request.attempt() + " was sent twice");
            }
            if (!request.payload().equals(inOrder.get(0).payload())) {
                wrong.add("attempt " + request.attempt() + " sent other bytes");
            }
            if (story.attempts().stream().noneMatch(row -> row.attempt() == request.attempt())) {
                wrong.add("attempt " + request.attempt() + " is not in the journal");
            }
        }
        for (Attempt row : story.attempts()) {
            if (!sent.contains(row.attempt())) {
                wrong.add("attempt " + row.attempt() + " is in the journal and never arrived");
            }
        }
        wrong.addAll(unexplainedRepeats(inOrder, story));
        return wrong;
    }

    private List<String> unexplainedRepeats(List<Request> inOrder, Story story) {
        List<String> wrong = new ArrayList<>();
        int ofBudget = 1;
        for (int i = 1; i < inOrder.size(); i++) {
            Request before = inOrder.get(i - 1);
            int attempt = inOrder.get(i).attempt();
            ofBudget++;
            String reason = reason(before, attempt, ofBudget, story);
            if (reason == null) {
                wrong.add("nothing let attempt " + attempt + " be sent after attempt " + before.attempt());
            } else {
                explained.merge(reason, 1, Integer::sum);
            }
            if (acts(before.attempt(), attempt, story).stream()
                    .anyMatch(act -> act.act().equals("resubmit"))) {
                ofBudget = 1;
            }
        }
        return wrong;
    }

    /** Null if there is none. */
    private String reason(Request before, int attempt, int ofBudget, Story story) {
        List<Act> acts = acts(before.attempt(), attempt, story);
        for (Act act : acts) {
            boolean isEvidence = act.note() != null && !act.note().isBlank();
            if (act.act().equals("resubmit") || act.act().equals("authorise-resend") && isEvidence) {
                return act.act();
            }
            boolean toPending = "pending".equals(act.toStatus());
            if (toPending && (act.act().equals("reconcile") || act.act().equals("release") && story.deduplicates())) {
                return act.act();
            }
        }
        if (isAnsweredResend(before.attempt(), attempt, story)) {
            return "sweep";
        }
        boolean isRetry = before.answer().equals(RecordingRemote.RETRYABLE)
                && story.attempts().stream()
                        .anyMatch(row -> row.attempt() == before.attempt()
                                && !row.late()
                                && row.outcome().equals(RecordingRemote.RETRYABLE))
                // A verdict took the claim away before the answer could put the entry back.
                && acts.stream().noneMatch(act -> VERDICTS.contains(act.act()))
                && ofBudget <= maxAttempts;
        return isRetry ? "retry" : null;
    }

    /** Those that were done when one attempt had been made and the other had not. */
    private static List<Act> acts(int attempt, int next, Story story) {
        return story.acts().stream()
                .filter(act -> act.attempt() >= attempt && act.attempt() < next)
                .toList();
    }

    private static boolean isAnsweredResend(int attempt, int next, Story story) {
        return story.replies().stream()
                .anyMatch(reply -> reply.attempt() >= attempt
                        && reply.attempt() < next
                        && reply.answer().equals("resend"));
    }
}
