package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxSummary;
import jakarta.json.bind.serializer.DeserializationContext;
import jakarta.json.bind.serializer.JsonbDeserializer;
import jakarta.json.bind.serializer.JsonbSerializer;
import jakarta.json.bind.serializer.SerializationContext;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonParser;
import java.lang.reflect.Type;
import java.util.UUID;

/** {@link OutboxEntry} as JSON: snake-case names, absent optionals left out, the payload as a value. */
final class EntryJson {
    private EntryJson() {}

    static void write(OutboxSummary entry, String payload, JsonGenerator target) {
        target.writeStartObject()
                .write("outbox_id", entry.outboxId().toString())
                .write("command_id", entry.commandId().toString())
                .write("destination", entry.destination());
        PayloadJson.write(target, "payload", payload);
        target.write("idempotency_key", entry.idempotencyKey())
                .write("status", entry.status().label())
                .write("attempt_count", entry.attemptCount());
        writeOptional(target, "next_attempt_at", entry.nextAttemptAt());
        target.write("created_at", entry.createdAt().toString());
        writeOptional(target, "completed_at", entry.completedAt());
        target.writeEnd();
    }

    static void writeOptional(JsonGenerator target, String name, Object value) {
        if (value != null) {
            target.write(name, value.toString());
        }
    }

    /**
     * Reads an entry; what a new one need not say ({@code outbox_id}, {@code command_id}, {@code status},
     * {@code attempt_count}, {@code created_at}) takes its default. Unknown names are skipped, repeated ones refused.
     */
    static OutboxEntry read(ObjectReader fields) {
        // A placeholder gives the defaults of a new entry; every required part is overwritten or missed below.
        OutboxEntry.Builder entry = OutboxEntry.pending(UUID.randomUUID(), "", "", "").toBuilder();
        entry.destination(null).idempotencyKey(null).payload(null);
        while (fields.next()) {
            switch (fields.name()) {
                case "payload" -> entry.payload(fields.value());
                case "destination" -> entry.destination(fields.text());
                case "idempotency_key" -> entry.idempotencyKey(fields.text());
                case "next_attempt_at" -> entry.nextAttemptAt(fields.instant());
                case "completed_at" -> entry.completedAt(fields.instant());
                default -> readDefaulted(fields, entry);
            }
        }
        return entry.build();
    }

    private static void readDefaulted(ObjectReader fields, OutboxEntry.Builder entry) {
        if (fields.isNull()) {
            return;
        }
        switch (fields.name()) {
            case "outbox_id" -> entry.outboxId(fields.uuid());
            case "command_id" -> entry.commandId(fields.uuid());
            case "status" -> entry.status(OutboxStatus.ofLabel(fields.text()));
            case "attempt_count" -> entry.attemptCount(fields.integer());
            case "created_at" -> entry.createdAt(fields.instant());
            default -> fields.skip();
        }
    }

    /** Writes an entry with its payload. */
    static final class Serializer implements JsonbSerializer<OutboxEntry> {
        @Override
        public void serialize(OutboxEntry entry, JsonGenerator target, SerializationContext context) {
            write(OutboxSummary.of(new OutboxRecord(entry, null, null, null)), entry.payload(), target);
        }
    }

    /** Reads an entry. */
    static final class Deserializer implements JsonbDeserializer<OutboxEntry> {
        @Override
        public OutboxEntry deserialize(JsonParser source, DeserializationContext context, Type type) {
            return read(new ObjectReader(source));
        }
    }
}
