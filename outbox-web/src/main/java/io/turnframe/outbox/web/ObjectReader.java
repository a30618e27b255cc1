package io.turnframe.outbox.web;

import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Reads one JSON object name by name. It refuses a repeated name, of which readers would otherwise take different ones,
 * and says which name is wrong without repeating its value.
 */
final class ObjectReader {
    private final JsonParser source;
    private final Set<String> seen = new HashSet<>();
    private String name;
    private Event value;

    /** @param source stands just behind the start of the object */
    ObjectReader(JsonParser source) {
        this.source = source;
    }

    /** Goes on to the next name and its value; false at the end of the object. */
    boolean next() {
        if (source.next() == Event.END_OBJECT) {
            return false;
        }
        name = source.getString();
        if (!seen.add(name)) {
            throw AdminException.malformedJson("a name is repeated in one object");
        }
        value = source.next();
        return true;
    }

    String name() {
        return name;
    }

    boolean isNull() {
        return value == Event.VALUE_NULL;
    }

    /** The text, or null. */
    String text() {
        return isNull() ? null : requiredText();
    }

    /** The instant, or null. */
    Instant instant() {
        String text = text();
        Instant instant = text == null ? null : Instants.parse(text);
        require(text == null || instant != null, "an RFC 3339 date and time");
        return instant;
    }

    /** The UUID, or null. */
    UUID uuid() {
        String text = text();
        return text == null ? null : Parameters.uuid(name, text);
    }

    int integer() {
        require(value == Event.VALUE_NUMBER, "a whole number");
        try {
            return source.getBigDecimal().intValueExact();
        } catch (ArithmeticException | NumberFormatException | UnsupportedOperationException e) {
            require(false, "a whole number of 32 bits");
            return 0;
        }
    }

    /** The whole number, or null. */
    Integer nullableInteger() {
        return isNull() ? null : integer();
    }

    /** The number, or null. */
    Double decimal() {
        if (isNull()) {
            return null;
        }
        require(value == Event.VALUE_NUMBER, "a number");
        return source.getBigDecimal().doubleValue();
    }

    boolean flag() {
        require(value == Event.VALUE_TRUE || value == Event.VALUE_FALSE, "true or false");
        return value == Event.VALUE_TRUE;
    }

    /** The text, which is there. */
    String requiredText() {
        require(value == Event.VALUE_STRING, "a string");
        return source.getString();
    }

    /** The number as it is written. */
    String number() {
        require(value == Event.VALUE_NUMBER, "a number");
        return source.getString();
    }

    /** Any value as JSON text. */
    String value() {
        return PayloadJson.read(source, value);
    }

    /** The object that is the value. */
    ObjectReader object() {
        require(value == Event.START_OBJECT, "an object");
        return new ObjectReader(source);
    }

    void skip() {
        if (value == Event.START_OBJECT) {
            source.skipObject();
        } else if (value == Event.START_ARRAY) {
            source.skipArray();
        }
    }

    private void require(boolean holds, String wanted) {
        if (!holds) {
            throw AdminException.malformedJson(name + " is not " + wanted);
        }
    }
}
