package io.turnframe.outbox.it.admin;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What does not fit a schema, each piece with a name for it: made from what fits. */
final class BadInputs {
    private final ApiDocument document;

    BadInputs(ApiDocument document) {
        this.document = document;
    }

    /**
     * Bodies that do not fit: the good one with one thing in it wrong, and what is no such object at all.
     *
     * @param good fits
     */
    Map<String, String> bodies(JsonObject schema, JsonObject good) {
        Map<String, String> bad = new LinkedHashMap<>();
        objects(schema, good).forEach((what, body) -> bad.put(what, body.toString()));
        bad.put("an array", "[]");
        bad.put("a string", "\"{}\"");
        bad.put("a number", "1");
        bad.put("null", "null");
        bad.put("half an object", "{\"note\":");
        bad.put("more behind it", good + "{}");
        bad.put("a repeated name", "{\"note\":\"n\",\"note\":\"n\"}");
        bad.put("no JSON", "note=n");
        return bad;
    }

    private Map<String, JsonObject> objects(JsonObject schema, JsonObject good) {
        Map<String, JsonObject> bad = new LinkedHashMap<>();
        bad.put("an unknown name", with(good, "colour", Json.createValue("red")));
        if (schema.containsKey("required")) {
            for (JsonString name : schema.getJsonArray("required").getValuesAs(JsonString.class)) {
                JsonObjectBuilder without = Json.createObjectBuilder(good);
                without.remove(name.getString());
                bad.put("no " + name.getString(), without.build());
            }
        }
        schema.getJsonObject("properties").forEach((name, value) -> {
            JsonObject property = document.resolve(value.asJsonObject());
            if (property.containsKey("properties")) {
                JsonObject nested = good.containsKey(name) ? good.getJsonObject(name) : JsonValue.EMPTY_JSON_OBJECT;
                objects(property, nested)
                        .forEach((what, object) -> bad.put(name + ": " + what, with(good, name, object)));
            }
            values(property).forEach(wrong -> bad.put(name + " = " + shortened(wrong), with(good, name, wrong)));
        });
        return bad;
    }

    private static JsonObject with(JsonObject good, String name, JsonValue value) {
        return Json.createObjectBuilder(good).add(name, value).build();
    }

    private static String shortened(JsonValue value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "… (" + text.length() + ")" : text;
    }

    /** Of another type, out of range, too long, not in the format; some of them fit a schema that says little. */
    private static List<JsonValue> values(JsonObject schema) {
        List<JsonValue> values = new ArrayList<>(List.of(
                JsonValue.NULL,
                JsonValue.EMPTY_JSON_ARRAY,
                Json.createObjectBuilder().add("a", 1).build()));
        if (!schema.getString("type", "").equals("boolean")) {
            values.add(JsonValue.TRUE);
        }
        switch (schema.getString("type", "")) {
            case "string" -> {
                values.add(Json.createValue(7));
                texts(schema).forEach(text -> values.add(Json.createValue(text)));
            }
            case "integer", "number" -> {
                numbers(schema).forEach(number -> values.add(Json.createValue(number)));
                values.add(Json.createValue("x"));
            }
            case "boolean" -> {
                values.add(Json.createValue("true"));
                values.add(Json.createValue(1));
            }
            default -> values.add(Json.createValue("x"));
        }
        return values;
    }

    /** Texts, as they stand in a query or path, that do not fit. */
    static List<String> texts(JsonObject schema) {
        List<String> texts = new ArrayList<>();
        if (!schema.getString("type").equals("string")) {
            texts.add("x");
            numbers(schema).forEach(number -> texts.add(number.toString()));
            return texts;
        }
        if (schema.containsKey("enum")) {
            texts.add("nonsense");
        } else if (schema.getString("format", "").equals("uuid")) {
            texts.addAll(List.of("1-1-1-1-1", "{019ad3c4-0000-7000-8000-000000000001}"));
        } else if (schema.getString("format", "").equals("date-time")) {
            texts.addAll(List.of("yesterday", "2026-13-01T00:00:00Z", "2026-12-01"));
        } else {
            texts.add("a\nb");
        }
        if (schema.containsKey("maxLength")) {
            texts.add("x".repeat(schema.getInt("maxLength") + 1));
        }
        return texts;
    }

    private static List<Number> numbers(JsonObject schema) {
        List<Number> numbers = new ArrayList<>();
        if (schema.containsKey("minimum")) {
            numbers.add(schema.getJsonNumber("minimum").doubleValue() - 1);
        }
        if (schema.containsKey("maximum")) {
            numbers.add(schema.getJsonNumber("maximum").longValue() + 1);
        }
        if (schema.getString("type").equals("integer")) {
            numbers.add(1.5);
            numbers.add(new BigInteger("99999999999999999999"));
        }
        return numbers;
    }
}
