package io.turnframe.outbox.batch;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Does something in a JTA transaction of its own, on the caller's thread. */
public interface SendTransaction {
    /** How a transaction ended. */
    enum Ending {
        /** All of it is there, or will be once recovery has been round. */
        COMMITTED,
        /** Nothing of it is left, or will be. */
        ROLLED_BACK,
        /** A heuristic outcome, or a commit without an answer: nobody knows. */
        IN_DOUBT
    }

    /**
     * Never throws, but for what {@code work} throws; then it has rolled back.
     *
     * @param timeout after which the server rolls back by itself; to whole seconds
     * @param work answers whether to commit
     */
    Ending run(Duration timeout, BooleanSupplier work);
}
