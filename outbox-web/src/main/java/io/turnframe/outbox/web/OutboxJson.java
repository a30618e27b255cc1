package io.turnframe.outbox.web;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.json.Json;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.adapter.JsonbAdapter;
import jakarta.json.bind.config.PropertyNamingStrategy;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Provider;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/** The JSON of this resource: snake-case names, absent values left out, instants in RFC 3339 UTC. */
@Provider
public class OutboxJson implements ContextResolver<Jsonb> {
    static final Jsonb JSONB = JsonbBuilder.create(new JsonbConfig()
            .withPropertyNamingStrategy(PropertyNamingStrategy.LOWER_CASE_WITH_UNDERSCORES)
            .withAdapters(new StatusAdapter())
            .withSerializers(
                    new RecordJson.ViewSerializer(),
                    new RecordJson.Serializer(),
                    new RecordJson.StorySerializer(),
                    new EntryJson.Serializer())
            .withDeserializers(new RecordJson.Deserializer(), new EntryJson.Deserializer()));

    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    @Override
    public Jsonb getContext(Class<?> type) {
        return JSONB;
    }

    /**
     * Reads a request's body, one JSON object. Resources call it themselves, because each server wraps what its own
     * reader meets in exceptions of its own, and readers let bad UTF-8 and trailing text pass.
     *
     * @throws AdminException if the body is no JSON object in UTF-8; the detail never repeats the body
     */
    static <T> T read(byte[] body, Function<ObjectReader, T> reader) {
        if (body.length == 0) {
            throw AdminException.malformedJson("the body is empty");
        }
        try (JsonParser source = PARSERS.createParser(new StringReader(decode(body)))) {
            if (!source.hasNext() || source.next() != JsonParser.Event.START_OBJECT) {
                throw AdminException.malformedJson("the body is not a JSON object");
            }
            T value = reader.apply(new ObjectReader(source));
            if (source.hasNext()) {
                throw AdminException.malformedJson("text follows the JSON object");
            }
            return value;
        } catch (AdminException | OutboxException e) {
            throw e;
        } catch (RuntimeException e) {
            // Of several kinds: the depth of nesting alone ends in a bare RuntimeException.
            throw AdminException.malformedJson("the body is not JSON, or is nested too deeply");
        }
    }

    private static String decode(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw AdminException.malformedJson("the body is not UTF-8");
        }
    }

    /** Statuses by their labels. */
    static final class StatusAdapter implements JsonbAdapter<OutboxStatus, String> {
        @Override
        public String adaptToJson(OutboxStatus status) {
            return status.label();
        }

        @Override
        public OutboxStatus adaptFromJson(String label) {
            return OutboxStatus.ofLabel(label);
        }
    }
}
