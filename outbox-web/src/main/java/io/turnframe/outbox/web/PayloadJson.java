package io.turnframe.outbox.web;

import jakarta.json.Json;
import jakarta.json.stream.JsonGenerator;
import jakarta.json.stream.JsonGeneratorFactory;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;

/**
 * Carries a payload between its text and a JSON value inside another document, event by event: names keep their order,
 * also where one is repeated, and numbers keep every digit. White space and the way a number is written ({@code 1e2},
 * {@code 1E+2}) may change; the exact bytes are served apart.
 */
final class PayloadJson {
    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    private static final JsonGeneratorFactory GENERATORS = Json.createGeneratorFactory(Map.of());

    private PayloadJson() {}

    /**
     * Writes {@code payload} as the value of {@code name}. A text that the parser cannot carry (nested too deeply, a
     * number of thousands of digits) is left out.
     */
    static void write(JsonGenerator target, String name, String payload) {
        if (payload == null || !isCarried(payload)) {
            return;
        }
        try (JsonParser source = PARSERS.createParser(new StringReader(payload))) {
            target.writeKey(name);
            copy(source, source.next(), target);
        }
    }

    /**
     * The text of the value that starts with {@code first}.
     *
     * @throws AdminException if a number in it is beyond what can be carried
     */
    static String read(JsonParser source, JsonParser.Event first) {
        StringWriter text = new StringWriter();
        try (JsonGenerator target = GENERATORS.createGenerator(text)) {
            copy(source, first, target);
        } catch (ArithmeticException | NumberFormatException | UnsupportedOperationException e) {
            throw AdminException.malformedJson("payload holds a number that is too long or too large");
        }
        return text.toString();
    }

    private static boolean isCarried(String payload) {
        try (JsonParser source = PARSERS.createParser(new StringReader(payload))) {
            if (!source.hasNext()) {
                return false;
            }
            while (source.hasNext()) {
                if (source.next() == JsonParser.Event.VALUE_NUMBER) {
                    source.getBigDecimal();
                }
            }
            return true;
        } catch (RuntimeException e) {
            // Parsers say so in many ways, a bare RuntimeException for the depth among them.
            return false;
        }
    }

    private static void copy(JsonParser source, JsonParser.Event first, JsonGenerator target) {
        int depth = 0;
        JsonParser.Event event = first;
        while (true) {
            switch (event) {
                case START_OBJECT -> {
                    target.writeStartObject();
                    depth++;
                }
                case START_ARRAY -> {
                    target.writeStartArray();
                    depth++;
                }
                case END_OBJECT, END_ARRAY -> {
                    target.writeEnd();
                    depth--;
                }
                case KEY_NAME -> target.writeKey(source.getString());
                case VALUE_STRING -> target.write(source.getString());
                case VALUE_NUMBER -> target.write(source.getBigDecimal());
                case VALUE_TRUE -> target.write(true);
                case VALUE_FALSE -> target.write(false);
                case VALUE_NULL -> target.writeNull();
            }
            if (depth == 0) {
                return;
            }
            event = source.next();
        }
    }
}
