package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.OutboxWriter;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** What the store accepts. A value that came by serialization was never checked by a constructor, so all is checked. */
final class EntryRules {
    private EntryRules() {}

    /** Checks an entry that is to be enqueued; {@code maxPayload} is in bytes of UTF-8. */
    static void check(OutboxEntry entry, int maxPayload) {
        present("entry", entry);
        present("outboxId", entry.outboxId());
        present("commandId", entry.commandId());
        text("destination", entry.destination(), OutboxEntry.MAX_DESTINATION);
        text("idempotencyKey", entry.idempotencyKey(), OutboxEntry.MAX_IDEMPOTENCY_KEY);
        instant("createdAt", present("createdAt", entry.createdAt()));
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
        payload(present("payload", entry.payload()), maxPayload);
    }

    static void limit(int limit) {
        if (limit < 1 || limit > OutboxWriter.MAX_CLAIM) {
            throw new InvalidRecordException(
                    "limit is " + limit + " but must lie between 1 and " + OutboxWriter.MAX_CLAIM);
        }
    }

    static String code(String code) {
        return text("reason", code, OutboxWriter.MAX_CODE);
    }

    /** Null passes: the reference is optional. */
    static String remoteRef(String remoteRef) {
        return remoteRef == null ? null : text("remoteRef", remoteRef, OutboxWriter.MAX_REMOTE_REF);
    }

    static <T> T present(String name, T value) {
        if (value == null) {
            throw new InvalidRecordException(name + " is missing");
        }
        return value;
    }

    static String text(String name, String value, int maxLength) {
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

    /** The bounds of the API, for instants that did not come in an entry. */
    static Instant instant(String name, Instant instant) {
        present(name, instant);
        if (instant.isBefore(OutboxEntry.MIN_INSTANT) || instant.isAfter(OutboxEntry.MAX_INSTANT)) {
            throw new InvalidRecordException(name + " " + instant + " lies outside the years 1600 to 9999");
        }
        return instant;
    }

    private static void payload(String payload, int maxBytes) {
        int bytes = utf8Length("payload", payload);
        if (bytes > maxBytes) {
            throw new InvalidRecordException(
                    "payload has " + bytes + " bytes but outbox.payload.max-bytes allows " + maxBytes);
        }
        JsonText.check("payload", payload);
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
