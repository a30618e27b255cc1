package io.turnframe.outbox;

/**
 * What one dispatch run did, in counts of rows.
 *
 * @param completed confirmed by the remote
 * @param retried back in the queue with a back-off
 * @param failed refused by the remote, or their budget spent
 * @param unknown outcome unknown; to be reconciled
 * @param unsettled the settlement was refused or failed; left as the store has them
 */
public record DispatchReport(long completed, long retried, long failed, long unknown, long unsettled) {
    /** Nothing done. */
    public static final DispatchReport EMPTY = new DispatchReport(0, 0, 0, 0, 0);

    /** How many rows were sent. */
    public long sent() {
        return completed + retried + failed + unknown + unsettled;
    }

    /** The sum of both. */
    public DispatchReport plus(DispatchReport other) {
        return new DispatchReport(
                completed + other.completed,
                retried + other.retried,
                failed + other.failed,
                unknown + other.unknown,
                unsettled + other.unsettled);
    }

    /** One line of counts: the exit status of the job. */
    @Override
    public String toString() {
        return "completed=" + completed + " retried=" + retried + " failed=" + failed + " unknown=" + unknown
                + " unsettled=" + unsettled;
    }
}
