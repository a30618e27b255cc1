package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.DispatchReport;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * One execution of the dispatch job: what is claimed and not yet sent, what is out, what has answered. The batch thread
 * alone calls it; only answers and wake-ups come from other threads.
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
    private static final long LONGEST_CHUNK = Duration.ofSeconds(5).toNanos();

    /** A run ends after this, so that an execution never grows without bound; the next wake-up starts another. */
    private static final long LONGEST_RUN = Duration.ofMinutes(10).toNanos();

    private static final long STOP_POLL = Duration.ofMillis(200).toNanos();

    private static final int PROMOTION = 1_000;

    /** Retries that have come due join the ready rows this often, also while those alone fill every claim. */
    private static final long PROMOTION_PACE = Duration.ofSeconds(1).toNanos();

    private static final DispatchReport UNSETTLED = new DispatchReport(0, 0, 0, 0, 1);

    private final Parts parts;
    private final DispatchConfig config;
    private final Verdict verdict;
    private final long linger;
    private final long sendTimeout;
    private final long begun;

    private final List<Send> claimed = new ArrayList<>();
    private final Deque<Send> ready = new ArrayDeque<>();
    private final Set<Send> out = new LinkedHashSet<>();
    private final List<Send> answered = new ArrayList<>();

    private final Object monitor = new Object();
    private final List<Send> arrivals = new ArrayList<>();
    private boolean woken;
    private boolean stopping;
    private long stopBy;

    private boolean chunkEnds;
    private boolean drained;
    private Set<String> cappedAtClaim = Set.of();
    private RuntimeException claimFailure;
    private boolean left;
    private long chunkBegun;
    private long promotedAt;
    private long idleSince;
    private DispatchReport report = DispatchReport.EMPTY;

    /**
     * What a run works with.
     *
     * @param executor runs a send; gives its handle
     * @param stopped whether the job was asked to stop
     * @param ticker monotonic nanoseconds
     * @param claimBytes payload bytes that a claim takes at most
     * @param journal which attempts are journalled
     * @param retryIn told when a row comes due again
     */
    record Parts(
            DispatchStore store,
            Senders senders,
            SendSlots slots,
            NodeRuns runs,
            SendExecutor executor,
            BooleanSupplier stopped,
            LongSupplier ticker,
            long claimBytes,
            JournalMode journal,
            Consumer<Duration> retryIn) {}

    DispatchRun(Parts parts, DispatchConfig config, Duration linger) {
        this.parts = parts;
        this.config = config;
        this.linger = linger.toNanos();
        this.sendTimeout = config.sendTimeout().toNanos();
        this.verdict = new Verdict(config, RandomGenerator.getDefault());
        this.begun = now();
        this.chunkBegun = begun;
        this.promotedAt = begun;
        this.idleSince = begun;
        parts.runs().enter(this);
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
                return endChunkOrRun();
            }
            if (!ready.isEmpty()) {
                return ready.poll();
            }
            if (settlementIsDue()) {
                return endChunk();
            }
            if (release() || claim()) {
                continue;
            }
            if (out.isEmpty() && answered.isEmpty()) {
                if (claimFailure != null) {
                    throw claimFailure;
                }
                if (lingered() && parts.runs().leave(this)) {
                    left = true;
                    return null;
                }
                await(idleSince + linger);
            } else {
                await(nextEvent());
            }
        }
    }

    /** Whether the chunk is complete: asked after each item. */
    boolean chunkEnds() {
        return chunkEnds;
    }

    private Object endChunkOrRun() {
        return answered.isEmpty() && ready.isEmpty() ? null : endChunk();
    }

    private Object endChunk() {
        chunkEnds = true;
        return SETTLE;
    }

    private boolean settlementIsDue() {
        if (answered.isEmpty()) {
            return !out.isEmpty() && now() - chunkBegun >= LONGEST_CHUNK;
        }
        return out.isEmpty() && claimed.isEmpty()
                || answered.size() >= config.batchSize()
                || now() - answered.get(0).endedAt() >= SETTLE_AFTER;
    }

    private boolean lingered() {
        return now() - idleSince >= linger || isTooOld();
    }

    /**
     * Makes claimed rows ready that may be sent now: slots free, lease long enough, start on record. A row that may have
     * brought down a node is out alone.
     */
    private boolean release() {
        if (out.stream().anyMatch(Send::isSuspect)) {
            return false;
        }
        List<Send> chosen = new ArrayList<>();
        List<Send> unsendable = new ArrayList<>();
        for (Iterator<Send> each = claimed.iterator(); each.hasNext(); ) {
            Send send = each.next();
            String destination = send.entry().destination();
            if (!send.leaseCovers(now(), sendTimeout)) {
                each.remove();
                unsendable.add(send);
            } else if (send.isSuspect() && !(out.isEmpty() && chosen.isEmpty())) {
                continue;
            } else if (parts.slots().tryTake(destination, config.concurrency(), cap(destination))) {
                each.remove();
                send.sender(parts.senders().find(destination).orElse(null));
                if (send.sender() != null) {
                    chosen.add(send);
                    if (send.isSuspect()) {
                        break;
                    }
                } else {
                    parts.slots().free(destination);
                    unsendable.add(send);
                }
            }
        }
        giveBack(unsendable);
        for (List<Send> group : byToken(chosen)) {
            Set<UUID> lost = mark(group);
            for (Send send : group) {
                if (lost.contains(send.id())) {
                    parts.slots().free(send.entry().destination());
                } else {
                    ready.add(send);
                }
            }
        }
        return !ready.isEmpty();
    }

    /** Puts the start of these sends on record where a crash must not lead to a second one; answers what is not ours. */
    private Set<UUID> mark(List<Send> group) {
        List<UUID> ids = group.stream()
                .filter(send -> !parts.senders().deduplicates(send.entry().destination()))
                .map(Send::id)
                .toList();
        if (ids.isEmpty()) {
            return Set.of();
        }
        try {
            return parts.store().markSendStarted(group.get(0).token(), ids);
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "sends could not be put on record; their rows wait for the release", failure);
            report = report.plus(new DispatchReport(0, 0, 0, 0, ids.size()));
            return new HashSet<>(ids);
        }
    }

    private boolean claim() {
        boolean full = claimed.size() >= config.batchSize() || parts.slots().total() >= config.concurrency();
        if (full || isTooOld() || claimFailure != null) {
            return false;
        }
        if (drained && !takeWakeUp() && cappedAtClaim.stream().allMatch(this::isCapped)) {
            return false;
        }
        cappedAtClaim =
                parts.slots().destinations().stream().filter(this::isCapped).collect(Collectors.toSet());
        Set<String> excluded = new HashSet<>(cappedAtClaim);
        excluded.addAll(parts.senders().unroutable());
        int wanted = config.batchSize();
        int got = 0;
        try {
            if (now() - promotedAt >= PROMOTION_PACE) {
                promote();
            }
            got = claim(wanted, excluded);
            if (got < wanted && promote() > 0) {
                got += claim(wanted - got, excluded);
            }
        } catch (RuntimeException failure) {
            claimFailure = failure;
        }
        // Fewer than wanted is not all: a claim is bounded in bytes, too, and takes a suspect alone.
        drained = got == 0;
        if (got > 0) {
            idleSince = now();
        }
        return got > 0;
    }

    /** Whether the destination has as many sends out as it may have. */
    private boolean isCapped(String destination) {
        return parts.slots().taken(destination) >= cap(destination);
    }

    private int cap(String destination) {
        return parts.senders().concurrency(destination, config.concurrency());
    }

    private int promote() {
        promotedAt = now();
        return parts.store().promoteDue(PROMOTION);
    }

    private int claim(int limit, Set<String> excluded) {
        UUID token = UUID.randomUUID();
        long leaseEnd = now() + config.claimTimeout().toNanos();
        List<ClaimedEntry> entries = parts.store()
                .claim(new ClaimRequest(
                        limit,
                        parts.claimBytes(),
                        config.workerId(),
                        token,
                        excluded,
                        parts.senders().deduplicating()));
        entries.forEach(entry -> claimed.add(new Send(entry, token, leaseEnd)));
        return entries.size();
    }

    /** Whether the run must make way for another: its node may still have work. One that does not linger ends by itself. */
    boolean isTooOld() {
        return linger > 0 && now() - begun >= LONGEST_RUN;
    }

    // send

    /** Starts the send of a row that {@link #next} gave out. Never throws: what cannot start is given back unsent. */
    void start(Send send) {
        send.startsNow(now(), sendTimeout);
        out.add(send);
        try {
            send.task(parts.executor().submit(() -> run(send)));
        } catch (RejectedExecutionException cannotStart) {
            out.remove(send);
            parts.slots().free(send.entry().destination());
            giveBack(List.of(send));
        }
    }

    /** On a thread of the executor. */
    private void run(Send send) {
        if (!send.begin()) {
            return;
        }
        Dispatched answer = null;
        try {
            answer = send.sender().send(send.entry());
        } catch (Throwable accident) {
            // Not the message: it may quote the payload.
            LOG.log(Level.WARNING, "the sender of {0} threw {1} on entry {2}; its outcome is unknown", new Object[] {
                send.entry().destination(), accident.getClass().getName(), send.id()
            });
        } finally {
            parts.slots().free(send.entry().destination());
            arrive(send, answer == null ? Dispatched.unknown() : answer);
        }
        if (answer != null && answer.kind() == Dispatched.Kind.UNKNOWN) {
            LOG.log(Level.WARNING, "the sender of {0} does not know what became of entry {1}", new Object[] {
                send.entry().destination(), send.id()
            });
        }
    }

    private void arrive(Send send, Dispatched answer) {
        if (send.answer(answer, now())) {
            synchronized (monitor) {
                arrivals.add(send);
                monitor.notifyAll();
            }
        } else {
            late(send, answer);
        }
    }

    /** On the thread of the send, whose run may have ended long ago. */
    private void late(Send send, Dispatched answer) {
        if (!parts.journal().keepsLate() && answer.kind() != Dispatched.Kind.COMPLETED) {
            return;
        }
        long now = now();
        try {
            boolean settled = parts.store().settleLate(verdict.journal(send, answer, now, true, now));
            LOG.log(Level.WARNING, "entry {0} to {1} was answered after its deadline: {2}{3}", new Object[] {
                send.id(), send.entry().destination(), answer.kind(), settled ? "; it is completed now" : ""
            });
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "a late answer to entry " + send.id() + " could not be kept", failure);
        }
    }

    private void takeArrivals() {
        synchronized (monitor) {
            out.removeAll(arrivals);
            answered.addAll(arrivals);
            arrivals.clear();
        }
    }

    /** A send that is out beyond its deadline is unknown from here on, whatever it answers later. */
    private void expire() {
        long now = now();
        boolean graceIsOver = graceIsOver(now);
        for (Send send : List.copyOf(out)) {
            if (now - send.deadline() < 0 && !graceIsOver) {
                continue;
            }
            if (send.drop()) {
                out.remove(send);
                send.interrupt();
                parts.slots().free(send.entry().destination());
                giveBack(List.of(send));
            } else if (graceIsOver && parts.senders().deduplicates(send.entry().destination())) {
                // Its claim expires, and it is sent again with the same key.
                out.remove(send);
                send.interrupt();
                report = report.plus(UNSETTLED);
            } else if (send.answer(Dispatched.unknown(), now)) {
                out.remove(send);
                answered.add(send);
                send.interrupt();
                LOG.log(Level.WARNING, "entry {0} to {1} got no answer in {2}; its outcome is unknown", new Object[] {
                    send.id(),
                    send.entry().destination(),
                    graceIsOver ? "the grace of the shutdown" : config.sendTimeout()
                });
            }
        }
    }

    // settle

    /** Settles whatever has answered. Never throws: what cannot be settled is counted and left to the release. */
    void settle() {
        takeArrivals();
        chunkEnds = false;
        chunkBegun = now();
        List<Send> batch = List.copyOf(answered);
        answered.clear();
        for (List<Send> group : byToken(batch)) {
            settle(group);
        }
        if (!batch.isEmpty()) {
            idleSince = now();
        }
    }

    private void settle(List<Send> group) {
        UUID token = group.get(0).token();
        List<Settlement> settlements = group.stream().map(this::settlement).toList();
        Set<UUID> refused;
        try {
            refused = parts.store().settle(token, settlements, attempts(group));
        } catch (RuntimeException bulk) {
            LOG.log(Level.WARNING, "a settlement of " + settlements.size() + " rows failed; trying row by row", bulk);
            group.forEach(this::settleAlone);
            return;
        }
        count(settlements, refused);
    }

    private void settleAlone(Send send) {
        Settlement settlement = settlement(send);
        Set<UUID> refused;
        try {
            refused = parts.store().settle(send.token(), List.of(settlement), attempts(List.of(send)));
        } catch (RuntimeException failure) {
            LOG.log(
                    Level.WARNING,
                    "entry " + settlement.outboxId() + " stays claimed until its claim expires",
                    failure);
            report = report.plus(UNSETTLED);
            return;
        }
        count(List.of(settlement), refused);
    }

    private List<Attempt> attempts(List<Send> sends) {
        return sends.stream()
                .filter(send -> parts.journal().keeps(send.answer().kind()))
                .map(send -> verdict.journal(send, send.answer(), send.endedAt(), false, now()))
                .toList();
    }

    private Settlement settlement(Send send) {
        return verdict.settle(send, Duration.ofNanos(Math.max(0, now() - send.endedAt())), Instant.now());
    }

    private void count(List<Settlement> settlements, Set<UUID> refused) {
        for (Settlement settlement : settlements) {
            if (refused.contains(settlement.outboxId())) {
                LOG.log(Level.WARNING, "entry {0} was settled too late: its claim was lost", settlement.outboxId());
                report = report.plus(UNSETTLED);
                continue;
            }
            report = report.plus(
                    switch (settlement.status()) {
                        case COMPLETED -> new DispatchReport(1, 0, 0, 0, 0);
                        case PENDING -> new DispatchReport(0, 1, 0, 0, 0);
                        case FAILED -> new DispatchReport(0, 0, 1, 0, 0);
                        default -> new DispatchReport(0, 0, 0, 1, 0);
                    });
            if (settlement.retryAfter() != null) {
                parts.retryIn().accept(settlement.retryAfter());
            }
        }
    }

    // give back, end

    private void giveBackUnsent() {
        ready.forEach(send -> parts.slots().free(send.entry().destination()));
        claimed.addAll(ready);
        ready.clear();
        giveBack(List.copyOf(claimed));
        claimed.clear();
    }

    private void giveBack(List<Send> sends) {
        for (List<Send> group : byToken(sends)) {
            try {
                parts.store()
                        .giveBack(
                                group.get(0).token(),
                                group.stream().map(Send::id).toList());
            } catch (RuntimeException failure) {
                LOG.log(Level.WARNING, group.size() + " unsent rows stay claimed until their claim expires", failure);
            }
        }
    }

    /** Ends the run, however it came to that: gives back what is unsent, settles what is out by its deadline at the latest. */
    DispatchReport close() {
        giveBackUnsent();
        while (true) {
            takeArrivals();
            expire();
            if (!answered.isEmpty() && (out.isEmpty() || settlementIsDue())) {
                settle();
            }
            // An interrupt is the server shutting down: what is still out then is left to the release.
            if (out.isEmpty() && answered.isEmpty() || Thread.currentThread().isInterrupted()) {
                break;
            }
            await(nextEvent());
        }
        if (!left) {
            parts.runs().forget(this);
        }
        return report;
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

    /** Whether the run was woken since it was last asked. */
    boolean takeWakeUp() {
        synchronized (monitor) {
            boolean was = woken;
            woken = false;
            return was;
        }
    }

    /** The earliest of: an answer that must be settled, a deadline, the end of the chunk. */
    private long nextEvent() {
        long next = chunkBegun + LONGEST_CHUNK;
        if (!answered.isEmpty()) {
            next = Math.min(next, answered.get(0).endedAt() + SETTLE_AFTER);
        }
        for (Send send : out) {
            next = Math.min(next, send.deadline());
        }
        synchronized (monitor) {
            return stopping ? Math.min(next, stopBy) : next;
        }
    }

    /** Waits for an answer or a wake-up, until {@code until} at most; often enough to see that the job is stopped. */
    private void await(long until) {
        long nanos = Math.min(until - now(), STOP_POLL);
        synchronized (monitor) {
            if (nanos <= 0 || woken || !arrivals.isEmpty()) {
                drained &= !woken;
                woken = false;
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
        return parts.ticker().getAsLong();
    }

    private static Iterable<List<Send>> byToken(List<Send> sends) {
        Map<UUID, List<Send>> groups = new LinkedHashMap<>();
        sends.forEach(send ->
                groups.computeIfAbsent(send.token(), token -> new ArrayList<>()).add(send));
        return groups.values();
    }
}
