package io.turnframe.outbox.web;

import io.turnframe.outbox.store.OutboxPosition;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;

/** The opaque form of an {@link OutboxPosition}: microseconds and id, 24 bytes in URL-safe Base64. */
final class Cursor {
    /** Longer than any. */
    static final int MAX_LENGTH = 64;

    private static final int LENGTH = 3 * Long.BYTES;

    private Cursor() {}

    /** The cursor of {@code position}; null for null. */
    static String encode(OutboxPosition position) {
        if (position == null) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH)
                .putLong(micros(position.createdAt()))
                .putLong(position.outboxId().getMostSignificantBits())
                .putLong(position.outboxId().getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /**
     * The position of {@code cursor}; null for null.
     *
     * @throws AdminException if it is none
     */
    static OutboxPosition decode(String cursor) {
        if (cursor == null) {
            return null;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
            if (bytes.remaining() != LENGTH) {
                throw AdminException.invalidCursor();
            }
            Instant createdAt = Instant.EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS);
            OutboxPosition position = new OutboxPosition(createdAt, new UUID(bytes.getLong(), bytes.getLong()));
            // Only what encode writes: this also refuses stray bits and years the database does not know.
            if (!cursor.equals(encode(position)) || !Instants.isStorable(createdAt)) {
                throw AdminException.invalidCursor();
            }
            return position;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw AdminException.invalidCursor();
        }
    }

    /** {@code ChronoUnit.MICROS.between} counts nanoseconds inside, and overflows after 292 years. */
    private static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }
}
