package io.turnframe.outbox;

import java.util.Locale;

/** Where an entry stands. {@link #COMPLETED} and {@link #FAILED} are terminal. */
public enum OutboxStatus {
    /**
     * Waits to be claimed. <em>In:</em> enqueue, a retry, a give-back, a reschedule, a reconciler's resend, the release of
     * an abandoned claim whose send had not started or whose destination deduplicates. <em>Out:</em> a claim, a late
     * confirmation of the attempt before.
     */
    PENDING,
    /**
     * Claimed by a worker that sends it now. <em>In:</em> a claim. <em>Out:</em> the worker's settlement or give-back;
     * after a crash, the release of the claim once it is older than the claim timeout.
     */
    DISPATCHING,
    /** The remote confirmed the effect. <em>In:</em> a settlement, a reconciliation. <em>Out:</em> only the purge. */
    COMPLETED,
    /**
     * The effect is known not to exist and is no longer tried. <em>In:</em> a refusal by the remote, a spent budget, a
     * reconciliation, an operator. <em>Out:</em> an operator's resubmit, the purge.
     */
    FAILED,
    /**
     * The effect may exist: a request left and nobody knows what became of it. <em>In:</em> a settlement, the release of
     * an abandoned claim whose send had started. <em>Out:</em> a reconciliation or an operator, or a late confirmation by the remote; the
     * dispatcher never sends it again by itself.
     */
    OUTCOME_UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name in lower snake case, as it is stored and as JSON shows it. */
    public String label() {
        return label;
    }

    /** Whether an entry in this status is at its end. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED;
    }

    /**
     * The status with this label.
     *
     * @throws InvalidRecordException if there is none
     */
    public static OutboxStatus ofLabel(String label) {
        for (OutboxStatus status : values()) {
            if (status.label.equals(label)) {
                return status;
            }
        }
        throw new InvalidRecordException(
                "status '" + label + "' is none of pending, dispatching, completed, failed," + " outcome_unknown");
    }
}
