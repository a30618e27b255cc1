package io.turnframe.outbox.batch;

/**
 * What one sweep did, in counts of rows.
 *
 * @param completed the remote has it
 * @param failed the remote has nothing of it and never will
 * @param resent back in the queue, since it never arrived
 * @param unresolved still unknown, or settled by another meanwhile
 */
record ReconcileReport(long completed, long failed, long resent, long unresolved) {
    /** Nothing done. */
    static final ReconcileReport EMPTY = new ReconcileReport(0, 0, 0, 0);

    /** This, and one row more that ended so. */
    ReconcileReport plus(Reconciliation ended) {
        if (!ended.settled()) {
            return new ReconcileReport(completed, failed, resent, unresolved + 1);
        }
        return switch (ended.answer().kind()) {
            case COMPLETED -> new ReconcileReport(completed + 1, failed, resent, unresolved);
            case FAILED -> new ReconcileReport(completed, failed + 1, resent, unresolved);
            case RESEND -> new ReconcileReport(completed, failed, resent + 1, unresolved);
            case UNRESOLVED -> new ReconcileReport(completed, failed, resent, unresolved + 1);
        };
    }

    /** One line of counts: the exit status of the job. */
    @Override
    public String toString() {
        return "completed=" + completed + " failed=" + failed + " resent=" + resent + " unresolved=" + unresolved;
    }
}
