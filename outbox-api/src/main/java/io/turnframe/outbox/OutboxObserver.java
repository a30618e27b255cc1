package io.turnframe.outbox;

import java.time.Duration;

/**
 * Hears what the dispatcher of this node does: for metrics and alarms. Every CDI bean of this type in the EAR is told. Its
 * methods do nothing unless they are overridden.
 *
 * <p>They are called outside transactions, one call after another, on a thread that nothing waits for: an observer may be
 * slow or throw. A throwing one is named in the log once. While one is so slow that thousands of signals wait, further
 * ones are dropped; signals that wait when the deployment ends are lost. So an observer counts; it does not account.
 *
 * <p>The labels are names of destinations and stable codes, never ids and nothing of a payload.
 */
public interface OutboxObserver {
    /** How one settlement ended. */
    enum Outcome {
        /** The remote confirmed. */
        COMPLETED,
        /** Back in the queue with a back-off. */
        RETRIED,
        /** Refused by the remote, or the budget is spent. */
        FAILED,
        /** Nobody knows; the entry is outcome_unknown. */
        UNKNOWN,
        /** The settlement was refused or failed; the entry is as the store has it. */
        UNSETTLED
    }

    /**
     * One claim has ended.
     *
     * @param entries those that it brought; 0 where it found none
     * @param took how long it took, its commit with it
     */
    default void claimed(int entries, Duration took) {}

    /**
     * One send has ended.
     *
     * @param latency from the start of the send to its answer, or to its deadline if there was none by then
     * @param answer what it counts as; {@code UNKNOWN} also for a missed deadline and an accident of the sender
     */
    default void sent(String destination, Duration latency, Dispatched.Kind answer) {}

    /**
     * One entry became outcome_unknown: by its answer, or by the release of an abandoned claim. In the first case
     * {@link #settled} is told too.
     */
    default void outcomeUnknown(String destination) {}

    /**
     * One entry was settled, or could not be. A late answer that completes its entry is told as one more settlement.
     *
     * @param code why it was retried or failed; null for the other outcomes
     */
    default void settled(String destination, Outcome outcome, String code) {}

    /**
     * Whether the transaction of one {@link TransactionalSender} committed is not known: a heuristic outcome, or a commit without
     * an answer. A person must look; it is told beside what became of the entry.
     */
    default void inDoubt(String destination) {}

    /**
     * A reconciler was asked about one unknown entry.
     *
     * @param answer what its answer came to; {@code UNRESOLVED} also for an accident, a missed deadline, a resend that came too
     *     early, and an entry that another has settled meanwhile
     */
    default void reconciled(String destination, Reconciled.Kind answer) {}
}
