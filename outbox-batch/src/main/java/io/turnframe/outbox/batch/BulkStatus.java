package io.turnframe.outbox.batch;

import java.util.UUID;

/**
 * How far a bulk act has come.
 *
 * @param act the label of its kind
 * @param actor who wanted it
 * @param status {@code running}, {@code completed}, {@code cancelled} or {@code failed}
 * @param expected to how many entries it was to be done
 * @param done to how many it has been done; that stays done, also when it is cancelled or fails
 * @param skipped how many another transaction held, or had moved on
 */
public record BulkStatus(
        UUID bulkId, String act, String actor, String status, long expected, long done, long skipped) {}
