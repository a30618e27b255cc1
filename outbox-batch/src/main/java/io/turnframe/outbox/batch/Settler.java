package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxObserver.Outcome;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/**
 * Settles what has answered, with its journal, and keeps the report. It never throws. While the database is away it keeps
 * the answers and tries again, until their leases end.
 */
final class Settler {
    private static final Logger LOG = Logger.getLogger(Settler.class.getName());

    /** How long the database is left alone after it could not be had. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final RunParts parts;
    private final Verdict verdict;

    /** Answered, and not settled since the database is away. */
    private final Deque<Send> kept = new ArrayDeque<>();

    /** Those of them that failed by themselves, and whether another had just been settled then. */
    private final Map<Send, Boolean> failed = new HashMap<>();

    private long againAt;
    private volatile DispatchReport report = DispatchReport.EMPTY;

    Settler(RunParts parts) {
        this.parts = parts;
        this.verdict = new Verdict(RandomGenerator.getDefault());
    }

    /** So far; from any thread. */
    DispatchReport report() {
        return report;
    }

    /** Counts rows that stay claimed and are left to the release. */
    void unsettled(List<Send> rows) {
        rows.forEach(row -> count(row, Outcome.UNSETTLED, null));
    }

    /**
     * Settles answered sends. What the store refuses is counted and left to the release; what it could not be asked about is
     * kept, to be {@linkplain #settleKept settled later}. Joint sends are settled already.
     */
    void settle(List<Send> all) {
        List<Send> answered = all.stream().filter(send -> !counted(send)).toList();
        if (answered.isEmpty()) {
            return;
        }
        if (!kept.isEmpty()) {
            kept.addAll(answered);
            return;
        }
        RuntimeException met = settleTogether(answered);
        if (met != null && isUnavailable(met)) {
            LOG.log(Level.WARNING, answered.size() + " answers cannot be settled now; trying again", met);
            keep(answered);
        } else if (met != null) {
            LOG.log(Level.WARNING, "a settlement of " + answered.size() + " rows failed; trying row by row", met);
            settleOneByOne(answered);
        }
    }

    /** Counts a joint send; answers whether it was one. */
    private boolean counted(Send send) {
        Send.Settled settled = send.settled();
        if (settled != null) {
            count(send, settled.outcome(), settled.code());
        }
        return settled != null;
    }

    private void settleOneByOne(List<Send> answered) {
        for (Send send : answered) {
            RuntimeException met = settleTogether(List.of(send));
            if (met != null && isUnavailable(met)) {
                keep(answered.subList(answered.indexOf(send), answered.size()));
                return;
            }
            if (met != null) {
                giveUp(send, met);
            }
        }
    }

    private void keep(List<Send> rows) {
        kept.addAll(rows);
        againAt = parts.now() + PAUSE;
    }

    /** Whether answers are kept that may still be settled. */
    boolean isWaiting() {
        return !kept.isEmpty();
    }

    /** While it {@linkplain #isWaiting waits}: when to try again, by the ticker. */
    long againAt() {
        return againAt;
    }

    /** Whether it is time to try again. */
    boolean isDue() {
        return isWaiting() && parts.now() - againAt >= 0;
    }

    /**
     * Tries the kept answers again if it is time, one by one, since one of them may be what fails, and until one fails, since
     * the others would wait for the database as long. That one comes last the next time; if it fails twice, and once right
     * after another was settled, the database is there, and refuses this row.
     */
    void settleKept() {
        boolean isThere = false;
        while (isDue()) {
            Send send = kept.poll();
            RuntimeException met = settleTogether(List.of(send));
            if (met == null) {
                isThere = true;
                continue;
            }
            Boolean wasThere = failed.put(send, isThere);
            if (!isUnavailable(met) || wasThere != null && (wasThere || isThere)) {
                giveUp(send, met);
            } else {
                keep(List.of(send));
                giveUpKept(one -> !one.isClaimed(parts.now()), met);
            }
        }
        failed.keySet().retainAll(kept);
    }

    /** Counts what is kept, and leaves it to the release: the run must end. */
    void giveUpKept() {
        giveUpKept(one -> true, null);
    }

    private void giveUpKept(Predicate<Send> which, RuntimeException met) {
        List<Send> given = kept.stream().filter(which).toList();
        given.forEach(send -> giveUp(send, met));
        kept.removeAll(given);
    }

    /** @param met null if nothing is known beyond what was said */
    private void giveUp(Send send, RuntimeException met) {
        LOG.log(Level.WARNING, "entry " + send.id() + " stays claimed until its claim expires", met);
        unsettled(List.of(send));
    }

    /** Settles in one transaction; answers what it met, or null. */
    private RuntimeException settleTogether(List<Send> answered) {
        List<Settlement> settlements = answered.stream().map(this::settlement).toList();
        Map<UUID, List<Settlement>> byToken = new LinkedHashMap<>();
        for (int i = 0; i < answered.size(); i++) {
            byToken.computeIfAbsent(answered.get(i).token(), token -> new ArrayList<>())
                    .add(settlements.get(i));
        }
        Set<UUID> refused;
        try {
            refused = parts.store().settle(byToken, attempts(answered));
        } catch (RuntimeException met) {
            return met;
        }
        count(answered, settlements, refused);
        return null;
    }

    /** Whether it failed for the database, and not only for this row or that: as far as the store can tell. */
    static boolean isUnavailable(RuntimeException met) {
        return met instanceof OutboxException failure && OutboxException.STORE_UNAVAILABLE.equals(failure.code());
    }

    private Settlement settlement(Send send) {
        return verdict.settle(send, Duration.ofNanos(Math.max(0, parts.now() - send.endedAt())), Instant.now());
    }

    private List<Attempt> attempts(List<Send> sends) {
        return sends.stream()
                .filter(send -> parts.journal().keeps(send.answer().kind()))
                .map(send -> verdict.journal(send, send.answer(), send.endedAt(), false, parts.now()))
                .toList();
    }

    /** @param settlements those of {@code sends}, in their order */
    private void count(List<Send> sends, List<Settlement> settlements, Set<UUID> refused) {
        for (int i = 0; i < sends.size(); i++) {
            Send send = sends.get(i);
            Settlement settlement = settlements.get(i);
            if (refused.contains(send.id())) {
                refused(send);
                continue;
            }
            switch (settlement.status()) {
                case COMPLETED -> count(send, Outcome.COMPLETED, null);
                case PENDING -> count(send, Outcome.RETRIED, settlement.code());
                case FAILED -> count(send, Outcome.FAILED, settlement.code());
                default -> {
                    count(send, Outcome.UNKNOWN, null);
                    parts.observers().outcomeUnknown(send.entry().destination());
                }
            }
            if (settlement.retryAfter() != null) {
                parts.retryIn().accept(settlement.retryAfter());
            }
        }
    }

    /** The claim is lost; what the sender confirmed is true all the same, and completes the row if that still waits for it. */
    private void refused(Send send) {
        if (send.answer().kind() == Dispatched.Kind.COMPLETED && completesLate(send)) {
            LOG.log(
                    Level.WARNING,
                    "entry {0} to {1} was confirmed after its claim was lost; it is completed now",
                    new Object[] {send.id(), send.entry().destination()});
            count(send, Outcome.COMPLETED, null);
            return;
        }
        LOG.log(
                Level.WARNING,
                "entry {0} was not settled: its claim was lost, or a late answer has settled it",
                send.id());
        count(send, Outcome.UNSETTLED, null);
    }

    private boolean completesLate(Send send) {
        // The refused settlement has journalled it where it journals confirmations at all.
        boolean journalled = parts.journal().keepsLate() && !parts.journal().keeps(Dispatched.Kind.COMPLETED);
        try {
            Attempt attempt = verdict.journal(send, send.answer(), send.endedAt(), true, parts.now());
            return parts.store().settleLate(send.token(), attempt, journalled);
        } catch (RuntimeException met) {
            LOG.log(Level.WARNING, "the confirmation of entry " + send.id() + " could not be kept", met);
            return false;
        }
    }

    private void count(Send send, Outcome outcome, String code) {
        report = report.plus(
                switch (outcome) {
                    case COMPLETED -> new DispatchReport(1, 0, 0, 0, 0);
                    case RETRIED -> new DispatchReport(0, 1, 0, 0, 0);
                    case FAILED -> new DispatchReport(0, 0, 1, 0, 0);
                    case UNKNOWN -> new DispatchReport(0, 0, 0, 1, 0);
                    case UNSETTLED -> new DispatchReport(0, 0, 0, 0, 1);
                });
        parts.observers().settled(send.entry().destination(), outcome, code);
    }

    /**
     * Takes in an answer that came too late, on a thread of its own: that of the send may be interrupted, and an interrupted
     * thread must not talk to a database. Its run may have ended long ago.
     */
    void late(Send send, Dispatched answer) {
        boolean journalled = parts.journal().keepsLate();
        if (answer.kind() == Dispatched.Kind.UNKNOWN || !journalled && answer.kind() != Dispatched.Kind.COMPLETED) {
            return;
        }
        try {
            parts.executor().submit(() -> keep(send, answer, journalled));
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.WARNING, "a late answer to entry " + send.id() + " could not be kept", noThread);
        }
    }

    private void keep(Send send, Dispatched answer, boolean journalled) {
        long now = parts.now();
        try {
            Attempt attempt = verdict.journal(send, answer, now, true, now);
            boolean settled = parts.store().settleLate(send.token(), attempt, journalled);
            if (settled) {
                parts.observers().settled(send.entry().destination(), Outcome.COMPLETED, null);
            }
            LOG.log(Level.WARNING, "entry {0} to {1} was answered after its deadline: {2}{3}", new Object[] {
                send.id(), send.entry().destination(), answer.kind(), settled ? "; it is completed now" : ""
            });
        } catch (RuntimeException met) {
            LOG.log(Level.WARNING, "a late answer to entry " + send.id() + " could not be kept", met);
        }
    }
}
