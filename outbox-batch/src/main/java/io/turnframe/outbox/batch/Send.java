package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.store.ClaimedEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One row under a claim, from the claim to its answer. Its answer is set once: what comes later is late. */
final class Send {
    private final ClaimedEntry claimed;
    private final UUID token;
    private final long leaseEnd;
    private final DispatchConfig config;

    private int bytes = -1;
    private long startedAt;
    private long deadline;
    private long endedAt;
    private OutboxSender sender;
    private boolean begun;
    private boolean entered;
    private boolean dropped;
    private Dispatched answer;
    private Thread thread;
    private boolean interrupted;
    private Settled settled;

    /**
     * @param leaseEnd when the claim may be released, by the ticker
     * @param config the run's, with what its destination has of its own
     */
    Send(ClaimedEntry claimed, UUID token, long leaseEnd, DispatchConfig config) {
        this.claimed = claimed;
        this.token = token;
        this.leaseEnd = leaseEnd;
        this.config = config;
    }

    DispatchConfig config() {
        return config;
    }

    OutboxEntry entry() {
        return claimed.entry();
    }

    /** Of its payload. */
    int bytes() {
        if (bytes < 0) {
            bytes = entry().payload().getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    UUID id() {
        return claimed.entry().outboxId();
    }

    int budgetUsed() {
        return claimed.budgetUsed();
    }

    /** Whether a claim of it was abandoned while it may have been sending. */
    boolean isSuspect() {
        return claimed.abandonedCount() > 0;
    }

    UUID token() {
        return token;
    }

    /** Whether the claim lasts for a send that starts now and takes all the time it may. */
    boolean leaseCovers(long now) {
        return leaseEnd - now >= config.sendTimeout().toNanos();
    }

    /** Whether the claim cannot have been released yet. */
    boolean isClaimed(long now) {
        return leaseEnd - now > 0;
    }

    void sender(OutboxSender found) {
        sender = found;
    }

    OutboxSender sender() {
        return sender;
    }

    /** Whether it is sent in the transaction that settles it. */
    boolean isJoint() {
        return sender instanceof TransactionalSender;
    }

    void startsNow(long now) {
        startedAt = now;
        deadline = now + config.sendTimeout().toNanos();
    }

    long startedAt() {
        return startedAt;
    }

    /** Said by the thread that is about to send; false if the row was dropped before a thread came to it. */
    synchronized boolean begin() {
        begun = !dropped;
        thread = begun ? Thread.currentThread() : null;
        return begun;
    }

    /** Said by the same thread: the sender is back. It may turn to another now, which no interrupt of this may reach. */
    synchronized void end() {
        thread = null;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    /** Keeps a send from beginning; false if it has begun. */
    synchronized boolean drop() {
        dropped = !begun;
        return dropped;
    }

    long deadline() {
        return deadline;
    }

    /** Sets the answer; false if there is one already. */
    synchronized boolean answer(Dispatched value, long at) {
        if (answer != null) {
            return false;
        }
        answer = value;
        endedAt = at;
        return true;
    }

    /** The answer, or null while it is out. */
    synchronized Dispatched answer() {
        return answer;
    }

    synchronized long endedAt() {
        return endedAt;
    }

    /** Said before the sender of a joint send works: it alone may be interrupted. False if the send has been given up. */
    synchronized boolean enter() {
        entered = answer == null;
        thread = entered ? Thread.currentThread() : null;
        return entered;
    }

    /**
     * Whether its sender is called, once it has begun: that of a joint send is not if there was no transaction in time, or the
     * claim is lost. Then nothing that it ends with says anything of the destination.
     */
    synchronized boolean isAsked() {
        return entered || !isJoint();
    }

    /** Whether nobody has given it up: then a joint send commits. */
    synchronized boolean isWanted() {
        return answer == null;
    }

    /**
     * How a joint send ended in the store.
     *
     * @param code why it was retried or failed; else null
     */
    record Settled(OutboxObserver.Outcome outcome, String code) {}

    synchronized void settled(Settled ending) {
        settled = ending;
    }

    /** Null until a joint send has ended, and for others always: the run settles them. */
    synchronized Settled settled() {
        return settled;
    }

    /** Interrupts the sender, whose answer no longer counts. */
    synchronized void interrupt() {
        if (thread != null) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** The sends by the claim they came with: a statement names one token. */
    static Collection<List<Send>> byToken(List<Send> sends) {
        Map<UUID, List<Send>> groups = new LinkedHashMap<>();
        sends.forEach(send ->
                groups.computeIfAbsent(send.token(), token -> new ArrayList<>()).add(send));
        return groups.values();
    }
}
