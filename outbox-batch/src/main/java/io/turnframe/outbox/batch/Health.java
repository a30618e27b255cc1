package io.turnframe.outbox.batch;

import java.util.List;

/**
 * How the outbox is, as this node sees it.
 *
 * @param status {@code up}, {@code degraded} if something needs a person, {@code down} if the database does not answer
 * @param problems what is the matter; empty if it is up
 */
public record Health(String status, List<Problem> problems) {
    /** {@link #status()} when nothing can be done. */
    public static final String DOWN = "down";

    /**
     * Something that needs a person.
     *
     * @param code a stable identifier
     * @param destination of which destination; null if of none
     * @param detail the same in words, with figures
     */
    public record Problem(String code, String destination, String detail) {}

    public Health {
        problems = List.copyOf(problems);
    }

    static Health of(List<Problem> problems) {
        return new Health(problems.isEmpty() ? "up" : "degraded", problems);
    }

    static Health down() {
        return new Health(
                DOWN, List.of(new Problem("turnframe.store.unavailable", null, "the database does not answer")));
    }
}
