package io.turnframe.outbox.it.admin;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Values at random: such as fit a schema, and such as hardly fit anything. */
final class FuzzValues {
    /** Texts that have upset somebody before. */
    private static final List<String> TEXTS = List.of(
            "airline",
            "x",
            "' OR 1=1 --",
            "\"; DROP TABLE tf_outbox; --",
            "%",
            "_%\\",
            "${java.version}",
            "<script>alert(1)</script>",
            "../../etc/passwd",
            "null",
            "\u00fc\u4e16\u754c",
            "\ud83d\ude80",
            " ",
            "\u00a0",
            "\u202e",
            "a\u0000b",
            "a\nb",
            "a\tb",
            "\u007f");

    /** JSON that parsers have choked on; some of it is none. */
    private static final List<String> TOKENS = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "\"\"",
            "0",
            "-0",
            "-1",
            "1.5",
            "1e2",
            "1E400",
            "1e-999999999",
            "1e999999999",
            "2147483648",
            "-9223372036854775809",
            "1".repeat(5_000),
            "0.".concat("1".repeat(3_000)),
            "NaN",
            "Infinity",
            "01",
            "+1",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\u0000\"",
            "\"\\x\"",
            "'x'",
            "\"" + "x".repeat(10_000) + "\"",
            "[".repeat(2_000),
            "[".repeat(600) + "]".repeat(600),
            "{\"a\":".repeat(600) + "1" + "}".repeat(600),
            "// comment",
            "");

    private final ApiDocument document;
    private final List<String> ids;
    private final RandomGenerator random;

    /** @param ids of entries and other things that there are */
    FuzzValues(ApiDocument document, List<String> ids, RandomGenerator random) {
        this.document = document;
        this.ids = ids;
        this.random = random;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    boolean in(int times) {
        return random.nextInt(times) == 0;
    }

    String token() {
        return oneOf(TOKENS);
    }

    /** A text for a parameter: mostly one that fits. */
    String text(JsonObject parameter) {
        JsonObject schema = parameter.getJsonObject("schema");
        if (in(6)) {
            List<String> bad = BadInputs.texts(schema);
            return in(2) && !bad.isEmpty() ? oneOf(bad) : anyText();
        }
        JsonValue value = value(parameter.getString("name"), schema);
        return value instanceof JsonString text ? text.getString() : value.toString();
    }

    String anyText() {
        return in(8) ? oneOf(TEXTS).repeat(1 + random.nextInt(300)) : oneOf(TEXTS);
    }

    /** An object that fits, with some of what it need not have. */
    JsonObject object(JsonObject schema) {
        var object = Json.createObjectBuilder();
        Set<String> required = schema.containsKey("required")
                ? schema.getJsonArray("required").getValuesAs(JsonString::getString).stream()
                        .collect(Collectors.toSet())
                : Set.of();
        schema.getJsonObject("properties").forEach((name, property) -> {
            if (required.contains(name) || in(2)) {
                object.add(name, value(name, document.resolve(property.asJsonObject())));
            }
        });
        return object.build();
    }

    private JsonValue value(String name, JsonObject schema) {
        if (schema.containsKey("enum")) {
            return oneOf(schema.getJsonArray("enum"));
        }
        if (schema.containsKey("properties")) {
            return object(schema);
        }
        return switch (schema.getString("format", schema.getString("type", ""))) {
            case "uuid" -> Json.createValue(in(3) ? uuid() : oneOf(ids));
            case "date-time" -> Json.createValue(instant());
            case "integer" -> Json.createValue(integer(schema));
            case "int64" -> Json.createValue(in(2) ? random.nextLong() : random.nextInt(200));
            case "number" -> Json.createValue(random.nextInt(1_000) / 7.0);
            case "boolean" -> in(2) ? JsonValue.TRUE : JsonValue.FALSE;
            case "string" -> Json.createValue(text(name, schema));
            default ->
                Json.createObjectBuilder()
                        .add("behaviour", "refuse")
                        .add("n", random.nextInt())
                        .build();
        };
    }

    private int integer(JsonObject schema) {
        int min = schema.getInt("minimum", 1);
        return min + random.nextInt(Math.max(1, Math.min(20, schema.getInt("maximum", 20))));
    }

    private String text(String name, JsonObject schema) {
        if (name.equals("destination") || name.equals("name")) {
            return in(4) ? "fuzz" : "airline";
        }
        if (name.endsWith("timeout") || name.endsWith("backoff")) {
            return oneOf(List.of("30s", "PT5S", "100ms", "2m", "1h"));
        }
        String text = oneOf(List.of("a", "B-7", "\u00fc\u4e16", "a b", "\ud83d\ude80", uuid()));
        int longest = schema.getInt("maxLength", 100);
        return in(10) ? "x".repeat(longest) : text;
    }

    private String uuid() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private String instant() {
        return "%04d-%02d-%02dT%02d:30:00%s"
                .formatted(
                        in(5) ? random.nextInt(10_000) : 2026,
                        1 + random.nextInt(12),
                        1 + random.nextInt(28),
                        random.nextInt(24),
                        oneOf(List.of("Z", ".123456Z", ".123456789Z", "+01:00", "-18:00")));
    }

    /** A JSON text with one thing in it changed, which may leave it JSON. */
    String bent(String json) {
        int at = random.nextInt(json.length());
        return switch (random.nextInt(7)) {
            case 0 -> json.substring(0, at);
            case 1 -> json.substring(0, at) + token() + json.substring(at);
            case 2 -> json.substring(0, at) + (char) random.nextInt(0x300) + json.substring(at);
            case 3 -> json + token();
            case 4 -> withAnotherValue(json);
            case 5 -> json.startsWith("{\"") ? json.replaceFirst("\\{(\"[^\"]*\")", "{$1:1,$1") : "[" + json + "]";
            default -> token();
        };
    }

    /** One of its values is another. */
    private String withAnotherValue(String json) {
        List<Integer> colons = new ArrayList<>();
        for (int at = json.indexOf("\":"); at >= 0; at = json.indexOf("\":", at + 1)) {
            colons.add(at + 2);
        }
        if (colons.isEmpty()) {
            return token();
        }
        int from = oneOf(colons);
        int to = from;
        while (to < json.length() && ",}".indexOf(json.charAt(to)) < 0) {
            to++;
        }
        return json.substring(0, from) + token() + json.substring(to);
    }
}
