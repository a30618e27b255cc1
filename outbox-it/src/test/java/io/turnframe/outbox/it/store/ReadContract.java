package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Reads. */
interface ReadContract extends StoreFixture {
    @Test
    default void refusesToGetAnUnknownId() {
        UUID id = UUID.randomUUID();
        assertNotFound(id, () -> store().get(id));
    }

    @Test
    default void refusesToReadNull() {
        assertInvalid(() -> store().get(null));
        assertInvalid(() -> store().listForCommand(null));
    }

    @Test
    default void listsTheEntriesOfACommandOldestFirstThenById() {
        UUID command = UUID.randomUUID();
        // The second id is the greater one byte by byte, and the smaller one as signed numbers.
        UUID low = new UUID(0x7000_0000_0000_0000L, 1);
        UUID high = new UUID(0x8000_0000_0000_0000L, 1);
        OutboxEntry last = of(command).createdAt(T0.plusSeconds(1)).build();
        OutboxEntry second = of(command).outboxId(high).build();
        OutboxEntry first = of(command).outboxId(low).build();
        pending();
        for (OutboxEntry entry : List.of(last, second, first)) {
            enqueue(entry);
        }
        assertThat(store().listForCommand(command))
                .extracting(OutboxRecord::entry)
                .containsExactly(first, second, last);
    }

    @Test
    default void listsNothingForAnUnknownCommand() {
        pending();
        assertThat(store().listForCommand(UUID.randomUUID())).isEmpty();
    }

    @Test
    default void showsTheClaimWhileTheEntryIsDispatching() {
        UUID id = dispatching();
        assertThat(record(id).claim()).isEqualTo(new OutboxClaim(WORKER, T0));
    }

    @Test
    default void seesInATransactionWhatItChanged() {
        UUID id = dispatching();
        inTransaction(() -> {
            assertThat(status(id)).isEqualTo(OutboxStatus.DISPATCHING);
            store().markCompleted(id);
            assertThat(status(id)).isEqualTo(OutboxStatus.COMPLETED);
        });
    }

    private OutboxEntry.Builder of(UUID command) {
        return entry().toBuilder().commandId(command);
    }
}
