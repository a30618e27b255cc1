package io.turnframe.outbox;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Which values a store accepts: one place for the store itself and for those that stand in for it. Whether a payload is
 * JSON is not asked here, since that takes a parser. Every refusal is an {@link InvalidRecordException}.
 *
 * <p>A value that came by serialization was never checked by a constructor, so all is checked.
 */
public final class EntryRules {
    /** The longest payload unless it is configured otherwise, in bytes of UTF-8. */
    public static final int DEFAULT_MAX_PAYLOAD = 8 * 1024 * 1024;

    private EntryRules() {}

    /** Accepts an entry that may be enqueued, its payload at most {@code maxPayload} bytes of UTF-8. */
    public static void check(OutboxEntry entry, int maxPayload) {
        present("entry", entry);
        present("outboxId", entry.outboxId());
        present("commandId", entry.commandId());
        text("destination", entry.destination(), OutboxEntry.MAX_DESTINATION);
        text("idempotencyKey", entry.idempotencyKey(), OutboxEntry.MAX_IDEMPOTENCY_KEY);
        instant("createdAt", entry.createdAt());
        if (entry.nextAttemptAt() != null) {
            instant("nextAttemptAt", entry.nextAttemptAt());
        }
        if (entry.status() != OutboxStatus.PENDING) {
            throw new InvalidRecordException("status is " + entry.status() + " but a new entry is pending");
        }
        if (entry.attemptCount() != 0) {
            throw new InvalidRecordException("attemptCount is " + entry.attemptCount() + " but a new entry has none");
        }
        if (entry.completedAt() != null) {
            throw new InvalidRecordException("completedAt is set but a new entry is not completed");
        }
        int bytes = utf8Length("payload", present("payload", entry.payload()));
        if (bytes > maxPayload) {
            throw new InvalidRecordException(
                    "payload has " + bytes + " bytes but outbox.payload.max-bytes allows " + maxPayload);
        }
    }

    /** Accepts the limit of a claim: 1 to {@value OutboxWriter#MAX_CLAIM}. */
    public static void limit(int limit) {
        if (limit < 1 || limit > OutboxWriter.MAX_CLAIM) {
            throw new InvalidRecordException(
                    "limit is " + limit + " but must lie between 1 and " + OutboxWriter.MAX_CLAIM);
        }
    }

    /** Accepts the reason of a failure. */
    public static String code(String code) {
        return text("reason", code, OutboxWriter.MAX_CODE);
    }

    /** Accepts a remote's reference, and null: it is optional. */
    public static String remoteRef(String remoteRef) {
        return remoteRef == null ? null : text("remoteRef", remoteRef, OutboxWriter.MAX_REMOTE_REF);
    }

    /** Accepts all but null. */
    public static <T> T present(String name, T value) {
        return OutboxEntry.required(name, value);
    }

    /** Accepts a text of 1 to {@code maxLength} UTF-16 units that is not blank and holds no control character. */
    public static String text(String name, String value, int maxLength) {
        present(name, value);
        if (value.isBlank()) {
            throw new InvalidRecordException(name + " is blank");
        }
        if (value.length() > maxLength) {
            throw new InvalidRecordException(
                    name + " has " + value.length() + " characters but at most " + maxLength + " are allowed");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidRecordException(name + " holds a control character");
        }
        utf8Length(name, value);
        return value;
    }

    /** Accepts an instant of the years 1600 to 9999; answers it cut to the microsecond. */
    public static Instant instant(String name, Instant instant) {
        return Micros.toInstant(Micros.of(name, present(name, instant)));
    }

    /** Half a surrogate pair has no bytes of its own: it would come out as another text than went in. */
    private static int utf8Length(String name, String value) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(value))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new InvalidRecordException(name + " holds half of a surrogate pair");
        }
    }
}
