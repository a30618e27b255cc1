package io.turnframe.outbox.batch;

/**
 * What one purge removed, in counts of rows.
 *
 * @param completed completed entries
 * @param failed failed entries
 */
record PurgeReport(long completed, long failed) {
    /** One line of counts: the exit status of the job. */
    @Override
    public String toString() {
        return "completed=" + completed + " failed=" + failed;
    }
}
