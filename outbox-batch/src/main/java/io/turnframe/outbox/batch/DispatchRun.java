package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.Dispatched;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One run of the dispatch job: what is claimed and not yet sent, what is out, what has answered. One thread alone calls
 * it; only answers, wake-ups and the word of its {@link Siblings} come from others.
 *
 * <p>The chunk is ended by an item that is not a row ({@link #SETTLE}): when everything out has answered, when an answer
 * has waited {@value #SETTLE_AFTER_MS} ms, or when a batch of answers has gathered. What is still out then is carried
 * over, so that a slow remote never holds up the settlement of another's answer.
 */
final class DispatchRun {
    /** The item that ends a chunk. */
    static final Object SETTLE = "settle";

    private static final Logger LOG = Logger.getLogger(DispatchRun.class.getName());

    private static final int SETTLE_AFTER_MS = 100;
    private static final long SETTLE_AFTER = Duration.ofMillis(SETTLE_AFTER_MS).toNanos();

    /** A chunk ends at least this often, far below any transaction timeout. */
    static final long LONGEST_CHUNK = Duration.ofSeconds(5).toNanos();

    /** A run ends after this, so that an execution never grows without bound; the next wake-up starts another. */
    private static final long LONGEST_RUN = Duration.ofMinutes(10).toNanos();

    /** Longer than a run, and far from where the ticker turns over. */
    private static final long NEVER = Duration.ofDays(1_000).toNanos();

    private static final long STOP_POLL = Duration.ofMillis(200).toNanos();

    private final RunParts parts;
    private final DispatchConfig config;
    private final Intake intake;
    private final Settler settler;
    private final SendThreads threads;
    private final JointSends joint;
    private final long linger;
    private final long begun;

    private final Deque<Send> ready = new ArrayDeque<>();
    private final Set<Send> out = new LinkedHashSet<>();
    private final List<Send> answered = new ArrayList<>();

    private final Object monitor = new Object();
    private final List<Send> arrivals = new ArrayList<>();
    private boolean woken;
    private boolean stopping;
    private long stopBy;

    /** No send that is out has an earlier one; that of one that has answered may stand here for a while. */
    private long earliestDeadline;

    private boolean chunkEnds;
    private boolean left;
    private boolean missedWakeUp;
    private long chunkBegun;
    private long idleSince;

    DispatchRun(RunParts parts, DispatchConfig config, Duration linger) {
        this.parts = parts;
        this.config = config;
        this.settler = new Settler(parts);
        this.threads = new SendThreads(
                parts.executor(), this::send, Runtime.getRuntime().availableProcessors());
        this.joint = new JointSends(parts);
        this.intake = new Intake(parts, config, this, settler::unsettled);
        this.linger = linger.toNanos();
        this.begun = now();
        this.earliestDeadline = begun + NEVER;
        this.chunkBegun = begun;
        this.idleSince = begun;
        parts.siblings().enter(this);
        parts.runs().enter(this);
    }

    /** Runs to its end without a batch runtime; {@link #close} must follow, also after an exception. */
    void drain() {
        Object item;
        do {
            item = next();
            if (item instanceof Send send) {
                start(send);
            }
            if (item == null || chunkEnds) {
                settle();
            }
        } while (item != null);
    }

    // claim

    /**
     * The next row to send, {@link #SETTLE}, or null when the run is over.
     *
     * @throws RuntimeException what a claim met, once everything that was out is settled
     */
    Object next() {
        while (true) {
            takeArrivals();
            expire();
            if (isStopped()) {
                giveBackUnsent();
                return answered.isEmpty() ? null : endChunk();
            }
            // A full batch first: those that start now would answer into it, and split the next one.
            if (!ready.isEmpty() && answered.size() < config.batchSize()) {
                return ready.poll();
            }
            if (settlementIsDue()) {
                return endChunk();
            }
            ready.addAll(intake.sendable(out));
            if (!ready.isEmpty() || claim()) {
                continue;
            }
            if (isSettled()) {
                if (intake.failure() != null) {
                    throw intake.failure();
                }
                if (!mayEnd()) {
                    await(nextLook());
                } else if (parts.runs().leave(this)) {
                    left = true;
                    parts.siblings().leave(this);
                    return null;
                } else {
                    // Woken on the way out.
                    intake.lookAgain();
                }
            } else {
                await(nextEvent());
            }
        }
    }

    /** Whether the chunk is complete: asked after each item. */
    boolean chunkEnds() {
        return chunkEnds;
    }

    Object endChunk() {
        chunkEnds = true;
        return SETTLE;
    }

    /** Whether nothing is out, and nothing has answered that is not settled. */
    private boolean isSettled() {
        return out.isEmpty() && answered.isEmpty() && !settler.isWaiting();
    }

    private boolean settlementIsDue() {
        if (settler.isDue()) {
            return true;
        }
        if (answered.isEmpty()) {
            return now() - chunkBegun >= LONGEST_CHUNK;
        }
        return out.isEmpty() && intake.isEmpty()
                || answered.size() >= config.batchSize()
                || now() - answered.get(0).endedAt() >= SETTLE_AFTER;
    }

    /**
     * With nothing out: whether it has lingered, and none of its siblings works. Not while it holds rows that wait for a
     * sibling's suspect to end.
     */
    private boolean mayEnd() {
        boolean lingered = now() - idleSince >= linger && intake.isEmpty() && !intake.isWaiting();
        return isTooOld() || lingered && parts.siblings().idle(this);
    }

    /** With nothing to do: when to look again at the latest. */
    private long nextLook() {
        long next = chunkBegun + LONGEST_CHUNK;
        if (intake.isWaiting()) {
            return Math.min(next, intake.againAt());
        }
        boolean lingers = now() - idleSince < linger;
        return lingers ? Math.min(next, idleSince + linger) : next;
    }

    private boolean claim() {
        if (takeWakeUp()) {
            intake.lookAgain();
        }
        // Before the claim, or the others may end beside rows that it brings.
        parts.siblings().busy(this);
        boolean got = !isTooOld() && intake.claim();
        if (got) {
            idleSince = now();
        }
        return got;
    }

    /** Whether the run must make way for another: its node may still have work. One that does not linger ends by itself. */
    boolean isTooOld() {
        return (linger > 0 || intake.isWaiting()) && now() - begun >= LONGEST_RUN;
    }

    /** Whether the run was woken and ended without looking: another must look. */
    boolean missedWakeUp() {
        return missedWakeUp;
    }

    // send

    /** Starts the send of a row that {@link #next} gave out. Never throws: what cannot start is given back unsent. */
    void start(Send send) {
        send.startsNow(now());
        out.add(send);
        if (send.deadline() - earliestDeadline < 0) {
            earliestDeadline = send.deadline();
        }
        try {
            threads.start(send);
        } catch (RuntimeException | Error cannotStart) {
            // It may have been queued all the same.
            if (send.drop()) {
                LOG.log(Level.FINE, "no thread for a send; it is given back unsent", cannotStart);
                out.remove(send);
                parts.free(send);
                intake.giveBack(List.of(send));
                intake.pause();
            }
        }
    }

    /** On a thread of the executor. Never throws. */
    private void send(Send send) {
        if (!send.begin()) {
            return;
        }
        Dispatched answer = null;
        try {
            answer = send.isJoint() ? joint.send(send) : send.sender().send(send.entry());
            if (answer == null) {
                LOG.log(
                        Level.WARNING,
                        "the sender of {0} answered null to entry {1}; its outcome is unknown",
                        new Object[] {send.entry().destination(), send.id()});
            }
        } catch (Throwable accident) {
            if (SenderGone.isProvenBy(accident)) {
                answer = Dispatched.unavailable(SenderGone.CODE);
                return;
            }
            // Not the message: it may quote the payload.
            LOG.log(Level.WARNING, "the sender of {0} threw {1} on entry {2}; its outcome is unknown", new Object[] {
                send.entry().destination(), accident.getClass().getName(), send.id()
            });
        } finally {
            send.end();
            // Before the slot is free: whether another may have it goes by this answer.
            heard(send, answer == null ? Dispatched.unknown() : answer);
            parts.free(send);
            arrive(send, answer);
        }
    }

    /** @param given what the sender answered, or null */
    private void arrive(Send send, Dispatched given) {
        Dispatched answer = given == null ? Dispatched.unknown() : given;
        if (!send.answer(answer, now())) {
            if (send.isJoint()) {
                joint.late(send);
            } else {
                settler.late(send, answer);
            }
            return;
        }
        told(send, answer.kind());
        if (given != null && given.kind() == Dispatched.Kind.UNKNOWN && !send.isJoint()) {
            LOG.log(Level.WARNING, "the sender of {0} does not know what became of entry {1}", new Object[] {
                send.entry().destination(), send.id()
            });
        }
        synchronized (monitor) {
            arrivals.add(send);
            monitor.notifyAll();
        }
    }

    private void told(Send send, Dispatched.Kind answer) {
        if (!send.isAsked()) {
            return;
        }
        parts.observers().sent(send.entry().destination(), Duration.ofNanos(send.endedAt() - send.startedAt()), answer);
    }

    /** Lets the breaker of its destination know; an answer after the deadline, too. */
    private void heard(Send send, Dispatched answer) {
        if (!send.isAsked()) {
            parts.breakers().withdraw(send);
            return;
        }
        parts.breakers()
                .heard(send, answer, parts.senders().breakerAfter(send.entry().destination()))
                .ifPresent(parts.retryIn());
    }

    private void takeArrivals() {
        synchronized (monitor) {
            arrivals.forEach(out::remove);
            answered.addAll(arrivals);
            arrivals.clear();
        }
    }

    /**
     * A send that is out beyond its deadline is unknown from here on, whatever it answers later. A joint send is left to its
     * thread, which does not commit any more, unless it is about to.
     */
    private void expire() {
        long now = now();
        boolean graceIsOver = graceIsOver(now);
        if (now - earliestDeadline < 0 && !graceIsOver) {
            return;
        }
        List<Send> all = List.copyOf(out);
        earliestDeadline = all.stream()
                .mapToLong(Send::deadline)
                .filter(deadline -> now - deadline < 0)
                .min()
                .orElse(now + NEVER);
        for (Send send : all) {
            if (now - send.deadline() < 0 && !graceIsOver) {
                continue;
            }
            if (send.drop()) {
                out.remove(send);
                send.interrupt();
                parts.free(send);
                intake.giveBack(List.of(send));
                continue;
            }
            Dispatched none = send.isJoint() ? JointSends.NO_ANSWER : Dispatched.unknown();
            if (send.answer(none, now)) {
                out.remove(send);
                send.interrupt();
                told(send, none.kind());
                heard(send, none);
                if (send.isJoint()) {
                    joint.missed(send);
                    settler.unsettled(List.of(send));
                    continue;
                }
                if (graceIsOver && parts.senders().deduplicates(send.entry().destination())) {
                    // Its claim expires, and it is sent again with the same key.
                    settler.unsettled(List.of(send));
                    continue;
                }
                answered.add(send);
                LOG.log(Level.WARNING, "entry {0} to {1} got no answer in {2}; its outcome is unknown", new Object[] {
                    send.id(),
                    send.entry().destination(),
                    graceIsOver ? "the grace of the shutdown" : send.config().sendTimeout()
                });
            }
        }
    }

    // settle

    /** Settles whatever has answered. Never throws: what cannot be settled is tried again, or counted and left to the release. */
    void settle() {
        takeArrivals();
        chunkEnds = false;
        chunkBegun = now();
        if (!answered.isEmpty() || settler.isWaiting()) {
            settler.settle(List.copyOf(answered));
            answered.clear();
            settler.settleKept();
            intake.settled();
            idleSince = now();
        }
    }

    // end

    private void giveBackUnsent() {
        ready.forEach(parts::free);
        intake.giveBack(List.copyOf(ready));
        ready.clear();
        intake.giveBackAll();
    }

    /** Ends the run, however it came to that: gives back what is unsent, settles what is out by its deadline at the latest. */
    DispatchReport close() {
        missedWakeUp = !left && parts.runs().retire(this);
        giveBackUnsent();
        while (true) {
            takeArrivals();
            expire();
            if (!answered.isEmpty() && out.isEmpty() || settlementIsDue()) {
                settle();
            }
            if (graceIsOver(now())) {
                settler.giveUpKept();
            }
            // An interrupt is the server shutting down: what is still out then is left to the release.
            if (isSettled() || Thread.currentThread().isInterrupted()) {
                break;
            }
            // From a sibling that claims: it looks itself.
            takeWakeUp();
            await(nextEvent());
        }
        settler.giveUpKept();
        // Nobody is left to miss their deadlines.
        out.forEach(parts.breakers()::withdraw);
        if (!left) {
            parts.siblings().leave(this);
            parts.runs().forget(this);
        }
        return settler.report();
    }

    /** What it has done so far; from any thread. */
    DispatchReport report() {
        return settler.report();
    }

    // stop, wait and wake

    /** Asks the run to end. Answers are waited for until {@code grace} is over; what is out then is unknown. */
    void stop(Duration grace) {
        synchronized (monitor) {
            stopping = true;
            stopBy = now() + grace.toNanos();
            monitor.notifyAll();
        }
    }

    private boolean isStopped() {
        synchronized (monitor) {
            return stopping
                    || parts.siblings().isStopped()
                    || parts.stopped().getAsBoolean()
                    || Thread.currentThread().isInterrupted();
        }
    }

    private boolean graceIsOver(long now) {
        synchronized (monitor) {
            return stopping && now - stopBy >= 0;
        }
    }

    void wake() {
        synchronized (monitor) {
            woken = true;
            monitor.notifyAll();
        }
    }

    /** As {@link #wake}, where there is nothing to claim: a sibling has ended. */
    void lookUp() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    /** Whether the run was woken since it was last asked. */
    boolean takeWakeUp() {
        synchronized (monitor) {
            boolean was = woken;
            woken = false;
            return was;
        }
    }

    /** The earliest of: an answer that must be settled, or tried again, a deadline, the end of the chunk. */
    private long nextEvent() {
        long next = chunkBegun + LONGEST_CHUNK;
        if (!answered.isEmpty()) {
            next = Math.min(next, answered.get(0).endedAt() + SETTLE_AFTER);
        }
        if (settler.isWaiting()) {
            next = Math.min(next, settler.againAt());
        }
        next = Math.min(next, earliestDeadline);
        synchronized (monitor) {
            return stopping ? Math.min(next, stopBy) : next;
        }
    }

    /** Waits for an answer or a wake-up, until {@code until} at most; often enough to see that the job is stopped. */
    private void await(long until) {
        long nanos = Math.min(until - now(), STOP_POLL);
        synchronized (monitor) {
            if (nanos <= 0 || woken || !arrivals.isEmpty()) {
                return;
            }
            try {
                monitor.wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
            } catch (InterruptedException shutdown) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private long now() {
        return parts.now();
    }
}
