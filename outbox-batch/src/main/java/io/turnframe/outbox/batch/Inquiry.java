package io.turnframe.outbox.batch;

import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.Question;
import java.util.concurrent.Future;

/** One question that is out. It ends once: by its answer, or by being given up, after which no answer is heard. */
final class Inquiry {
    private final Question question;
    private final long deadline;

    private boolean begun;
    private boolean ended;
    private Reconciled answer;
    private Future<?> task;

    /** @param deadline by the ticker */
    Inquiry(Question question, long deadline) {
        this.question = question;
        this.deadline = deadline;
    }

    Question question() {
        return question;
    }

    long deadline() {
        return deadline;
    }

    synchronized void task(Future<?> running) {
        task = running;
    }

    /** Said by the thread that is about to ask; false if it was given up before a thread came to it. */
    synchronized boolean begin() {
        begun = !ended;
        return begun;
    }

    /** Ends it with this answer, or with none; false if it was given up before. */
    synchronized boolean end(Reconciled given) {
        if (ended) {
            return false;
        }
        ended = true;
        answer = given;
        return true;
    }

    /** Interrupts its thread once it has ended; false if that never began to ask, and never will. */
    synchronized boolean interrupt() {
        if (task != null) {
            task.cancel(true);
        }
        return begun;
    }

    /** What was answered, or null if nothing was. */
    synchronized Reconciled answer() {
        return answer;
    }
}
