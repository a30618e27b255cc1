package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DispatchStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the runs of one execution work with.
 *
 * @param breakers which destinations are failing
 * @param siblings the runs of the execution
 * @param executor runs a send; gives its handle
 * @param transaction in which a joint send is made and settled
 * @param stopped whether the job was asked to stop
 * @param ticker monotonic nanoseconds
 * @param claimBytes payload bytes that a claim takes at most
 * @param journal which attempts are journalled
 * @param retryIn told when a row comes due again
 */
record RunParts(
        DispatchStore store,
        Senders senders,
        SendSlots slots,
        Controls controls,
        Breakers breakers,
        NodeRuns runs,
        Siblings siblings,
        Observers observers,
        SendExecutor executor,
        SendTransaction transaction,
        BooleanSupplier stopped,
        LongSupplier ticker,
        long claimBytes,
        JournalMode journal,
        Consumer<Duration> retryIn) {
    long now() {
        return ticker.getAsLong();
    }

    /** Frees the slot of a send whose thread is back, or which goes back unsent and leaves it to another to be the probe. */
    void free(Send send) {
        breakers.withdraw(send);
        slots.free(send.entry().destination());
    }
}
