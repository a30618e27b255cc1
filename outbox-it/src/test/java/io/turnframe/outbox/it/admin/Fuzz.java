package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.admin.ApiDocument.Operation;
import jakarta.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Requests at random from the document: some as it wants them, most bent in one place or two. */
final class Fuzz {
    private static final int TOO_LARGE = (8 << 20) + (64 << 10) + 1;

    private static final List<String> TYPES = List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/xml",
            "application/json;charset=utf-16",
            "application/json;charset=nonsense",
            "application/json; charset=\"",
            "application/json-patch+json",
            "application/*",
            "*/*",
            "json",
            "%%%",
            "application/json, text/plain");

    private static final List<String> ACCEPTS = List.of(
            "application/json",
            "text/html",
            "text/csv",
            "application/x-ndjson",
            "application/problem+json",
            "image/png, */*;q=0.1",
            "application/json;q=0",
            "application/json;q=nonsense",
            "%%%",
            "*",
            ",");

    private static final List<String> LANGUAGES =
            List.of("de", "*", "x-klingon;q=2", "%%%", "a".repeat(500), "de,,en;q=");

    private static final List<String> TAGS = List.of(
            "*",
            "\"x\"",
            "W/\"x\"",
            "x",
            "\"",
            "\"a\",\"b\"",
            "\"\"",
            ",",
            "\"" + "x".repeat(3_000) + "\"",
            "\"a\", *");

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "FOO", "get");

    /** Put into a path; each is a URI still. */
    private static final List<String> PIECES = List.of(
            "/",
            "//",
            "/.",
            "/..",
            "/%2e%2e/",
            "%2F",
            "%5C",
            "%00",
            "%0D%0Aa:b",
            "%C0%AF",
            "%FF",
            "%25u0041",
            ";a=b",
            ";jsessionid=1",
            "*",
            "~",
            "%E2%82%AC",
            "x".repeat(3_000));

    private final ApiDocument document;
    private final List<Operation> operations;
    private final List<String> ids;
    private final long seed;

    Fuzz(ApiDocument document, List<String> ids, long seed) {
        this.document = document;
        this.operations = document.operations();
        this.ids = List.copyOf(ids);
        this.seed = seed;
    }

    /**
     * One request.
     *
     * @param operation what it is a request for; null if its method or path is no longer that
     * @param target path and query
     * @param body null for none
     */
    record Shot(
            int number,
            Operation operation,
            String user,
            String method,
            String target,
            Map<String, String> headers,
            byte[] body) {
        @Override
        public String toString() {
            String text = body == null ? "" : new String(body, StandardCharsets.ISO_8859_1);
            return "request " + number + " by " + user + ": " + method + " " + shortened(target) + " "
                    + shortened(headers.toString()) + " " + shortened(text);
        }

        private static String shortened(String text) {
            return text.length() > 300 ? text.substring(0, 300) + "… (" + text.length() + ")" : text;
        }
    }

    /** The request of this number, the same for the same seed, document and ids. */
    Shot shot(int number) {
        SplittableRandom random = new SplittableRandom(seed + number * 0x9E3779B97F4A7C15L);
        FuzzValues values = new FuzzValues(document, ids, random);
        Operation operation = values.oneOf(operations);
        boolean sameMethod = !values.in(25);
        boolean samePath = !values.in(10);
        String target = target(operation, values);
        if (!samePath) {
            int at = target.indexOf('/', 1) < 0 ? target.length() : target.lastIndexOf('/');
            target = target.substring(0, at) + values.oneOf(PIECES) + target.substring(at);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        byte[] body = body(operation, values, headers);
        bendHeaders(operation, values, headers);
        return new Shot(
                number,
                sameMethod && samePath ? operation : null,
                values.in(8) ? values.oneOf(Arrays.asList("viewer", "clerk", null)) : "operator",
                sameMethod ? operation.method() : values.oneOf(METHODS),
                "/outbox/api" + target,
                headers,
                body);
    }

    private static String target(Operation operation, FuzzValues values) {
        String path = operation.path();
        for (JsonObject parameter : operation.parameters("path")) {
            String text = values.text(parameter);
            // An empty one, or dots, would be another path.
            path = path.replace(
                    "{" + parameter.getString("name") + "}",
                    encoded(text.replaceAll("[./\\\\]", "").isBlank() ? "x" : text));
        }
        List<String> query = new ArrayList<>();
        for (JsonObject parameter : operation.parameters("query")) {
            if (values.in(3)) {
                query.add(parameter.getString("name") + "=" + encoded(values.text(parameter)));
            }
        }
        if (values.in(20)) {
            query.add(encoded(values.anyText()) + (values.in(2) ? "" : "=" + encoded(values.anyText())));
        }
        if (values.in(40) && !query.isEmpty()) {
            query.add(query.get(0));
        }
        return path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    private static byte[] body(Operation operation, FuzzValues values, Map<String, String> headers) {
        if (!operation.hasBody() && !values.in(20)) {
            return null;
        }
        headers.put("Content-Type", "application/json");
        if (values.in(400)) {
            return " ".repeat(TOO_LARGE).getBytes(StandardCharsets.US_ASCII);
        }
        if (values.in(15)) {
            return new byte[0];
        }
        String text =
                operation.hasBody() ? values.object(operation.bodySchema()).toString() : "{}";
        while (values.in(2)) {
            text = text.isEmpty() ? values.token() : values.bent(text);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 && values.in(12)) {
            bytes[bytes.length / 2] = values.oneOf(List.of((byte) 0, (byte) 0xC3, (byte) 0xFF, (byte) 0xED));
        } else if (values.in(40)) {
            return text.getBytes(StandardCharsets.UTF_16);
        }
        return bytes;
    }

    private static void bendHeaders(Operation operation, FuzzValues values, Map<String, String> headers) {
        if (headers.containsKey("Content-Type") && values.in(15)) {
            if (values.in(6)) {
                headers.remove("Content-Type");
            } else {
                headers.put("Content-Type", values.oneOf(TYPES));
            }
        }
        if (values.in(10)) {
            headers.put("Accept", values.oneOf(ACCEPTS));
        }
        if (values.in(20)) {
            headers.put("Accept-Language", values.oneOf(LANGUAGES));
        }
        if (values.in(operation.hasParameter("If-Match") ? 3 : 30)) {
            headers.put("If-Match", values.oneOf(TAGS));
        }
        if (values.in(operation.hasParameter("If-None-Match") ? 3 : 30)) {
            headers.put("If-None-Match", values.oneOf(TAGS));
        }
        if (values.in(40)) {
            headers.put("Sec-Fetch-Site", values.oneOf(List.of("cross-site", "same-site", "same-origin", "none", "?")));
        }
        if (values.in(40)) {
            headers.put("Origin", values.oneOf(List.of("https://elsewhere.example", "null", "%%%")));
        }
        if (values.in(40)) {
            headers.put("Content-Encoding", values.oneOf(List.of("gzip", "deflate", "nonsense")));
        }
        if (values.in(40)) {
            headers.put("Range", values.oneOf(List.of("bytes=0-1", "bytes=5-2", "%%%")));
        }
        if (values.in(40)) {
            headers.put("If-Modified-Since", values.oneOf(List.of("yesterday", "Mon, 30 Nov 2099 08:00:00 GMT")));
        }
        if (values.in(40)) {
            headers.put("X-HTTP-Method-Override", "DELETE");
        }
        if (values.in(60)) {
            headers.put("X-Long", "x".repeat(20_000));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
