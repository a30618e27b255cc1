package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.OutboxReconciliation;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the asking works with.
 *
 * @param available the destinations that have a reconciler now
 * @param reconciler finds the reconciler of a destination
 * @param slots taken by questions that are out
 * @param executor runs a question; gives its handle
 * @param questionBytes payload bytes that questions of a sweep hold at most while they are out, but for the last
 * @param workerId who asks
 * @param ticker monotonic nanoseconds
 * @param wakeUp told when an entry is to be sent again
 * @param observer told how each question ended, by destination
 */
record ReconcileParts(
        OutboxReconciliation store,
        Supplier<Set<String>> available,
        Function<String, Optional<OutboxReconciler>> reconciler,
        SendSlots slots,
        Function<Runnable, Future<?>> executor,
        long questionBytes,
        String workerId,
        LongSupplier ticker,
        Runnable wakeUp,
        BiConsumer<String, Reconciled.Kind> observer) {
    long now() {
        return ticker.getAsLong();
    }
}
