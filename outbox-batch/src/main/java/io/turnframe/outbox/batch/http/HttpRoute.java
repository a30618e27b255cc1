package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.store.ConfigValues;
import java.util.List;

/**
 * Where and how the entries of one destination are sent over HTTP. Prints no secrets.
 *
 * @param method POST, PUT, PATCH or DELETE
 * @param url where to
 * @param pointer where the remote's reference stands in the body of its answer; null: the Location header
 * @param answers what each status means
 * @param retriesUnknown whether an attempt that may have arrived is repeated
 * @param http how the remote is spoken to
 */
public record HttpRoute(
        String method,
        UrlTemplate url,
        JsonText pointer,
        AnswerTable answers,
        boolean retriesUnknown,
        HttpConfig http) {
    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE");

    /**
     * Reads the keys below {@code prefix}.
     *
     * @param url the value of the key {@code url}
     * @param deduplicates whether the remote drops a request whose key it has seen
     * @throws IllegalArgumentException naming key, value and remedy; no value that may be secret
     */
    public static HttpRoute read(String prefix, String url, boolean deduplicates, ConfigValues values) {
        UrlTemplate template = UrlTemplate.parse(prefix + "url", url, false);
        String method = values.text(prefix + "method").orElse("POST");
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException(
                    prefix + "method is '" + method + "'; write one of " + String.join(", ", METHODS));
        }
        boolean retriesUnknown = values.flag(prefix + "retry-unknown", false);
        if (retriesUnknown && !deduplicates) {
            throw new IllegalArgumentException(prefix + "retry-unknown is true, but " + prefix
                    + "deduplicates is not: each repeat could be a second effect; set both, or leave it out");
        }
        String pointer = prefix + "reference-pointer";
        String answers = prefix + "answers";
        return new HttpRoute(
                method,
                template,
                values.text(pointer).map(text -> new JsonText(pointer, text)).orElse(null),
                AnswerTable.parse(
                        template.hasPlaces(), answers, values.text(answers).orElse("")),
                retriesUnknown,
                HttpConfig.read(prefix, values));
    }

    /** Whether the payload goes with the request. */
    boolean hasBody() {
        return !method.equals("DELETE");
    }

    /** Where its entries go, as an operator reads it: without what a URL may hold of secrets. */
    public String shown() {
        return (method.equals("POST") ? "" : method + " ") + url.shown();
    }
}
