package io.turnframe.outbox.batch;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Transactions over a store in memory, one at a time; a commit ends as the test says. */
final class FakeTransactions implements SendTransaction {
    private final FakeStore store;

    /** How a commit ends. */
    volatile Ending ending = Ending.COMMITTED;

    /** Whether none can be begun. */
    volatile boolean refusing;

    Runnable whenCommitting = () -> {};
    volatile Duration timeout;

    FakeTransactions(FakeStore store) {
        this.store = store;
    }

    @Override
    public synchronized Ending run(Duration given, BooleanSupplier work) {
        timeout = given;
        if (refusing) {
            return Ending.ROLLED_BACK;
        }
        try {
            if (!work.getAsBoolean()) {
                return Ending.ROLLED_BACK;
            }
            whenCommitting.run();
            if (ending == Ending.COMMITTED) {
                store.settled.putAll(store.uncommitted);
            }
            return ending;
        } finally {
            store.uncommitted.clear();
        }
    }
}
