package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;

/** The sweeps of this node, and the slots of the questions that are out. */
@ApplicationScoped
public class ReconcileRuns extends StoppableRuns {
    private final SendSlots slots = new SendSlots();

    /** Taken while a question is out, until its thread is back. */
    SendSlots slots() {
        return slots;
    }
}
