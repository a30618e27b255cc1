package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxWriter;
import java.time.Instant;

/**
 * What operators said about a destination while it runs. It holds on all nodes, within a tick.
 *
 * @param destination its name, or {@value #EVERYTHING} for all of them
 * @param held whether its entries wait: nothing of it is claimed, what is out is settled
 * @param concurrency claims on it at most, over all nodes; null for no such limit
 * @param rate sends a second at most, over all nodes, {@code 0.0001} to {@value #MAX_RATE}; null for no such limit
 * @param note why; null if nobody said
 * @param changedBy who said so last; null if nobody did
 * @param changedAt when; null if nobody did
 */
public record DestinationControl(
        String destination,
        boolean held,
        Integer concurrency,
        Double rate,
        String note,
        String changedBy,
        Instant changedAt) {
    /** Stands for every destination; it can be held, not limited. */
    public static final String EVERYTHING = "*";

    /** The longest note, in characters. */
    public static final int MAX_NOTE = 512;

    /** The lowest rate, in sends a second: one in about three hours. */
    public static final double MIN_RATE = 0.0001;

    /** The highest rate, in sends a second. */
    public static final int MAX_RATE = 100_000;

    /** @throws InvalidRecordException naming the value and its limits */
    public DestinationControl {
        EntryRules.text("destination", destination, OutboxEntry.MAX_DESTINATION);
        if (concurrency != null && concurrency < 1) {
            throw new InvalidRecordException(
                    "concurrency " + concurrency + " is below 1; hold the destination instead");
        }
        if (rate != null && !(rate >= MIN_RATE && rate <= MAX_RATE)) {
            throw new InvalidRecordException("rate " + rate + " is outside 0.0001, one send in about three hours, to "
                    + MAX_RATE + "; to send nothing, hold the destination");
        }
        if (EVERYTHING.equals(destination) && (concurrency != null || rate != null)) {
            throw new InvalidRecordException("everything can be held but not limited; limit each destination");
        }
        if (note != null) {
            EntryRules.text("note", note, MAX_NOTE);
        }
        if (changedBy != null) {
            EntryRules.text("changedBy", changedBy, OutboxWriter.MAX_WORKER_ID);
        }
    }

    /** Nothing was said about {@code destination}. */
    public static DestinationControl none(String destination) {
        return new DestinationControl(destination, false, null, null, null, null, null);
    }

    /** Whether claims on it must be counted over all nodes. */
    public boolean isLimited() {
        return concurrency != null || rate != null;
    }
}
