package io.turnframe.outbox.batch.http;

import jakarta.json.Json;
import jakarta.json.JsonPointer;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.util.regex.Pattern;

/** Where in an answer's JSON body a text stands. */
final class JsonText {
    /** RFC 6901 has ~0 and ~1 only. */
    private static final Pattern BAD_ESCAPE = Pattern.compile("~(?![01])");

    private final JsonPointer pointer;

    /** @throws IllegalArgumentException naming key, value and remedy, if it is no JSON pointer */
    JsonText(String key, String pointer) {
        if (!pointer.startsWith("/")) {
            throw new IllegalArgumentException(key + " is '" + pointer + "'; write a JSON pointer such as /reference");
        }
        if (BAD_ESCAPE.matcher(pointer).find()) {
            throw new IllegalArgumentException(
                    key + " is '" + pointer + "'; in a JSON pointer write ~0 for '~' and ~1 for '/' in a name");
        }
        this.pointer = Json.createPointer(pointer);
    }

    /** The string or number there; null if there is none, or the body is not JSON. */
    String in(byte[] body) {
        try (JsonReader reader = Json.createReader(new ByteArrayInputStream(body))) {
            JsonStructure structure = reader.read();
            if (!pointer.containsValue(structure)) {
                return null;
            }
            JsonValue value = pointer.getValue(structure);
            return switch (value.getValueType()) {
                case STRING -> ((JsonString) value).getString();
                case NUMBER -> value.toString();
                default -> null;
            };
        } catch (RuntimeException notJson) {
            // Parsers have more than JsonException for it, nesting without end for one.
            return null;
        }
    }
}
