package io.turnframe.outbox.it.harness;

import java.util.LinkedHashMap;
import java.util.Map;

/** Payloads of every kind by the name of the kind: those that must come out as they went in, and those that are refused. */
public final class Payloads {
    /** How deep values may nest. */
    private static final int DEPTH = 500;

    private Payloads() {}

    /** JSON that some reader, writer or column would change, or not take. */
    public static Map<String, String> kept() {
        Map<String, String> kept = new LinkedHashMap<>();
        kept.put("what nobody may see", Marker.payload().toString());
        kept.put("an empty object", "{}");
        kept.put("an empty array", "[]");
        kept.put("a text", "\"text\"");
        kept.put("an empty text", "\"\"");
        kept.put("a number", "-0");
        kept.put("null", "null");
        kept.put("a boolean", "false");
        kept.put("spaces and a key that stands twice", " { \"a\" : 1 ,\r\n\t\"a\" : 2 } ");
        kept.put("an empty key, and keys out of order", "{\"b\":1,\"\":2,\"a\":3}");
        kept.put("more digits than a double", "[9007199254740993,0.1000000000000000055511151231257827,1.0,1.00]");
        kept.put("beyond a double", "123456789012345678901234567890.123456789012345678901234567890e-400");
        kept.put("far beyond a double", "[1e400000,-1E+400000]");
        kept.put("a number of many digits", "9".repeat(10_000));
        kept.put("the escaped NUL", "{\"nul\":\"\\u0000\"}");
        kept.put("every short escape, and letters escaped", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDEEB\"");
        kept.put("half of an escaped surrogate pair", "\"\\ud83d\"");
        kept.put("emoji", "\"\uD83D\uDEEB \uD83D\uDC69\u200D\uD83D\uDE80 \uD83C\uDDE9\uD83C\uDDF0\"");
        kept.put("right to left", "\"\u0645\u0631\u062D\u0628\u0627 \u05E9\u05DC\u05D5\u05DD \u202Eabc\u202C\"");
        kept.put("composed and decomposed", "[\"\u00E9\",\"e\u0301\"]");
        kept.put("line separators, no-characters, and DEL", "\"\u2028\u2029\uFFFE\uFFFF\uFEFF\u007F\u0080\"");
        kept.put("quotes of SQL", "\"'; DROP TABLE tf_outbox; -- $$ \\\\' ? :a ${b}\"");
        kept.put("the deepest arrays", "[".repeat(DEPTH) + "]".repeat(DEPTH));
        kept.put("the deepest objects", "{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH));
        kept.put("five megabytes", "\"" + "x".repeat(5 * 1024 * 1024) + "\"");
        kept.put("five megabytes of emoji", "\"" + "\uD83D\uDEEB".repeat(5 * 1024 * 1024 / 4) + "\"");
        kept.put("many short values", "[" + "1,".repeat(500_000) + "1]");
        return kept;
    }

    /** What is not one JSON value, or nests too deep. */
    public static Map<String, String> refused() {
        Map<String, String> refused = new LinkedHashMap<>();
        refused.put("what nobody may see, and more", Marker.payload() + " " + Marker.TEXT);
        refused.put("nothing", "");
        refused.put("a space", " ");
        refused.put("plain text", "hello");
        refused.put("XML", "<a/>");
        refused.put("an open object", "{");
        refused.put("an open text", "\"open");
        refused.put("two values", "{}{}");
        refused.put("a value and more", "{} x");
        refused.put("half a word", "nul");
        refused.put("another case", "True");
        refused.put("single quotes", "{'a':1}");
        refused.put("a key without a value", "{\"a\":}");
        refused.put("a key without quotes", "{a:1}");
        refused.put("a comma too many", "[1,]");
        refused.put("a comment", "/* */ {}");
        refused.put("a leading zero", "01");
        refused.put("a plus", "+1");
        refused.put("no digit after the point", "1.");
        refused.put("not a number", "NaN");
        refused.put("a raw tab in a text", "\"a\tb\"");
        refused.put("a raw NUL", "\u0000");
        refused.put("a raw NUL in a text", "\"a\u0000b\"");
        refused.put("an unknown escape", "\"\\x41\"");
        refused.put("a short escape", "\"\\u00\"");
        refused.put("a byte order mark", "\uFEFF{}");
        refused.put("arrays nested too deep", "[".repeat(DEPTH + 1) + "]".repeat(DEPTH + 1));
        refused.put("objects nested too deep", "{\"a\":".repeat(DEPTH + 1) + "1" + "}".repeat(DEPTH + 1));
        refused.put("nesting without an end", "[".repeat(1_000_000));
        return refused;
    }

    /** What is no text at all, and refused. */
    public static Map<String, String> halves() {
        return Map.of(
                "half of a surrogate pair", "\"\uD83D\"",
                "the other half of a surrogate pair", "\"\uDEEB\"");
    }
}
