package io.turnframe.outbox;

import com.github.f4b6a3.uuid.UuidCreator;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/**
 * One external effect and how far it has come. Immutable; crosses remote views. Instants are cut to the microsecond.
 */
public final class OutboxEntry implements Serializable {
    /** The longest {@link #destination()}, in UTF-16 units. */
    public static final int MAX_DESTINATION = 200;

    /** The longest {@link #idempotencyKey()}, in UTF-16 units. */
    public static final int MAX_IDEMPOTENCY_KEY = 255;

    /** The earliest instant: before the Gregorian calendar, database drivers count days differently. */
    public static final Instant MIN_INSTANT = Instant.parse("1600-01-01T00:00:00Z");

    /** The latest instant RFC 3339 can write. */
    public static final Instant MAX_INSTANT = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final long serialVersionUID = 1L;

    private final UUID outboxId;
    private final UUID commandId;
    private final String destination;
    private final String payload;
    private final String idempotencyKey;
    private final OutboxStatus status;
    private final int attemptCount;
    private final long nextAttemptAt;
    private final long createdAt;
    private final long completedAt;

    private OutboxEntry(Builder from) {
        outboxId = required("outboxId", from.outboxId);
        commandId = required("commandId", from.commandId);
        destination = required("destination", from.destination);
        payload = required("payload", from.payload);
        idempotencyKey = required("idempotencyKey", from.idempotencyKey);
        status = required("status", from.status);
        attemptCount = from.attemptCount;
        nextAttemptAt = Micros.of("nextAttemptAt", from.nextAttemptAt);
        createdAt = Micros.of("createdAt", required("createdAt", from.createdAt));
        completedAt = Micros.of("completedAt", from.completedAt);
    }

    /**
     * A new pending entry, due at once, with a time-ordered id (UUID version 7) and the present instant.
     *
     * @param commandId what the business calls the act that caused it; groups the entries of one act
     * @param destination the name of the configured remote
     * @param idempotencyKey unique for the destination; sent with every attempt
     * @param payload JSON text, nested 500 levels at most; its bytes are sent as they are
     * @throws InvalidRecordException if an argument is null
     */
    public static OutboxEntry pending(UUID commandId, String destination, String idempotencyKey, String payload) {
        return builder()
                .outboxId(UuidCreator.getTimeOrderedEpoch())
                .commandId(commandId)
                .destination(destination)
                .idempotencyKey(idempotencyKey)
                .payload(payload)
                .createdAt(Instant.now())
                .build();
    }

    /** A builder whose status is pending and whose attempt count is 0. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this entry. */
    public Builder toBuilder() {
        return new Builder()
                .outboxId(outboxId)
                .commandId(commandId)
                .destination(destination)
                .payload(payload)
                .idempotencyKey(idempotencyKey)
                .status(status)
                .attemptCount(attemptCount)
                .nextAttemptAt(nextAttemptAt())
                .createdAt(createdAt())
                .completedAt(completedAt());
    }

    /** Identifies the entry. */
    public UUID outboxId() {
        return outboxId;
    }

    /** The business act that caused the entry. */
    public UUID commandId() {
        return commandId;
    }

    /** The name of the remote; compared byte by byte. */
    public String destination() {
        return destination;
    }

    /** The JSON text to send. */
    public String payload() {
        return payload;
    }

    /** Unique for the {@link #destination()} as long as the row is kept; the same on every attempt. */
    public String idempotencyKey() {
        return idempotencyKey;
    }

    public OutboxStatus status() {
        return status;
    }

    /** How often the entry was claimed; never goes down. */
    public int attemptCount() {
        return attemptCount;
    }

    /** When it comes due, or null for at once. */
    public Instant nextAttemptAt() {
        return Micros.toInstant(nextAttemptAt);
    }

    /** When it was enqueued; the claim's order, then {@link #outboxId()}. */
    public Instant createdAt() {
        return Micros.toInstant(createdAt);
    }

    /** When it became completed or failed, else null. */
    public Instant completedAt() {
        return Micros.toInstant(completedAt);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutboxEntry that
                && outboxId.equals(that.outboxId)
                && commandId.equals(that.commandId)
                && destination.equals(that.destination)
                && payload.equals(that.payload)
                && idempotencyKey.equals(that.idempotencyKey)
                && status == that.status
                && attemptCount == that.attemptCount
                && nextAttemptAt == that.nextAttemptAt
                && createdAt == that.createdAt
                && completedAt == that.completedAt;
    }

    @Override
    public int hashCode() {
        return outboxId.hashCode();
    }

    /** Without the payload, which may hold personal data. */
    @Override
    public String toString() {
        return "OutboxEntry[" + outboxId + ", " + destination + ", " + status.label() + ", attempts=" + attemptCount
                + "]";
    }

    static <T> T required(String name, T value) {
        if (value == null) {
            throw new InvalidRecordException(name + " is missing");
        }
        return value;
    }

    /** Collects the parts of an {@link OutboxEntry}. */
    public static final class Builder {
        private UUID outboxId;
        private UUID commandId;
        private String destination;
        private String payload;
        private String idempotencyKey;
        private OutboxStatus status = OutboxStatus.PENDING;
        private int attemptCount;
        private Instant nextAttemptAt;
        private Instant createdAt;
        private Instant completedAt;

        private Builder() {}

        public Builder outboxId(UUID value) {
            outboxId = value;
            return this;
        }

        public Builder commandId(UUID value) {
            commandId = value;
            return this;
        }

        public Builder destination(String value) {
            destination = value;
            return this;
        }

        public Builder payload(String value) {
            payload = value;
            return this;
        }

        public Builder idempotencyKey(String value) {
            idempotencyKey = value;
            return this;
        }

        public Builder status(OutboxStatus value) {
            status = value;
            return this;
        }

        public Builder attemptCount(int value) {
            attemptCount = value;
            return this;
        }

        public Builder nextAttemptAt(Instant value) {
            nextAttemptAt = value;
            return this;
        }

        public Builder createdAt(Instant value) {
            createdAt = value;
            return this;
        }

        public Builder completedAt(Instant value) {
            completedAt = value;
            return this;
        }

        /**
         * The entry. What may be enqueued is narrower and is checked there.
         *
         * @throws InvalidRecordException if a required part is missing or an instant lies outside the years 1600 to
         *     9999
         */
        public OutboxEntry build() {
            return new OutboxEntry(this);
        }
    }
}
