package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.util.Map;

/** Checks that a text is one JSON value. */
public final class JsonText {
    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    /** How deep values may nest: below the limits that JSON parsers have of their own, so that every reader copes. */
    public static final int MAX_DEPTH = 500;

    private JsonText() {}

    /**
     * Reads {@code text} to its end without keeping anything of it.
     *
     * @throws InvalidRecordException if it is not JSON; the message never quotes the text, which may hold personal data
     */
    public static void check(String name, String text) {
        try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
            int depth = 0;
            while (parser.hasNext()) {
                switch (parser.next()) {
                    case START_ARRAY, START_OBJECT -> depth++;
                    case END_ARRAY, END_OBJECT -> depth--;
                    default -> {}
                }
                if (depth > MAX_DEPTH) {
                    throw new InvalidRecordException(name + " nests deeper than " + MAX_DEPTH + " levels");
                }
            }
        } catch (JsonException notJson) {
            throw new InvalidRecordException(name + " is not JSON");
        }
    }
}
