package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.store.OutboxSummary;
import io.turnframe.outbox.store.RecordStory;
import jakarta.json.bind.serializer.DeserializationContext;
import jakarta.json.bind.serializer.JsonbDeserializer;
import jakarta.json.bind.serializer.JsonbSerializer;
import jakarta.json.bind.serializer.SerializationContext;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonParser;
import java.lang.reflect.Type;
import java.time.Instant;

/** {@link OutboxRecord} and {@link RecordView} as JSON: the entry, then what the store keeps beside it. */
final class RecordJson {
    private RecordJson() {}

    private static void write(RecordView view, JsonGenerator target) {
        target.writeStartObject();
        writeFields(view.summary(), view.payload(), target);
        target.writeEnd();
    }

    private static void writeFields(OutboxSummary summary, String payload, JsonGenerator target) {
        target.writeKey("entry");
        EntryJson.write(summary, payload, target);
        if (summary.claimWorkerId() != null && summary.claimedAt() != null) {
            target.writeStartObject("claim")
                    .write("worker_id", summary.claimWorkerId())
                    .write("claimed_at", summary.claimedAt().toString())
                    .writeEnd();
        }
        EntryJson.writeOptional(target, "last_failure", summary.lastFailure());
        EntryJson.writeOptional(target, "remote_ref", summary.remoteRef());
        EntryJson.writeOptional(target, "unknown_since", summary.unknownSince());
    }

    /** Writes a record and what happened to it. */
    static final class StorySerializer implements JsonbSerializer<StoryView> {
        @Override
        public void serialize(StoryView view, JsonGenerator target, SerializationContext context) {
            RecordStory story = view.story();
            target.writeStartObject();
            writeFields(story.summary(), view.payload(), target);
            if (story.payloadErased()) {
                target.write("payload_erased", true);
            }
            context.serialize("attempts", story.attempts(), target);
            context.serialize("reconciliations", story.reconciliations(), target);
            context.serialize("audit", story.audit(), target);
            target.writeEnd();
        }
    }

    /** Writes what the caller may see. */
    static final class ViewSerializer implements JsonbSerializer<RecordView> {
        @Override
        public void serialize(RecordView view, JsonGenerator target, SerializationContext context) {
            write(view, target);
        }
    }

    /** Writes a record with its payload. */
    static final class Serializer implements JsonbSerializer<OutboxRecord> {
        @Override
        public void serialize(OutboxRecord stored, JsonGenerator target, SerializationContext context) {
            write(RecordView.of(stored), target);
        }
    }

    /** Reads a record back; unknown names are skipped, repeated ones refused. */
    static final class Deserializer implements JsonbDeserializer<OutboxRecord> {
        @Override
        public OutboxRecord deserialize(JsonParser source, DeserializationContext context, Type type) {
            ObjectReader fields = new ObjectReader(source);
            OutboxEntry entry = null;
            OutboxClaim claim = null;
            String lastFailure = null;
            String remoteRef = null;
            while (fields.next()) {
                switch (fields.name()) {
                    case "entry" -> entry = fields.isNull() ? null : EntryJson.read(fields.object());
                    case "claim" -> claim = fields.isNull() ? null : readClaim(fields.object());
                    case "last_failure" -> lastFailure = fields.text();
                    case "remote_ref" -> remoteRef = fields.text();
                    default -> fields.skip();
                }
            }
            return new OutboxRecord(entry, claim, lastFailure, remoteRef);
        }

        private static OutboxClaim readClaim(ObjectReader fields) {
            String workerId = null;
            Instant claimedAt = null;
            while (fields.next()) {
                switch (fields.name()) {
                    case "worker_id" -> workerId = fields.text();
                    case "claimed_at" -> claimedAt = fields.instant();
                    default -> fields.skip();
                }
            }
            return new OutboxClaim(workerId, claimedAt);
        }
    }
}
