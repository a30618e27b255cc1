package io.turnframe.outbox.batch;

/** A run that ends soon after it is told to. */
interface Stoppable {
    /** From any thread; may come more than once. */
    void stop();
}
