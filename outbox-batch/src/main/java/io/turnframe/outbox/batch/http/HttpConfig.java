package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.store.ConfigValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;

/** How a remote is spoken to over HTTP. It holds secrets, and prints none. */
final class HttpConfig {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private static final int MAX_ANSWER = 1024 * 1024;

    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Printable ASCII: what every client and server carries unchanged. */
    private static final Pattern HEADER_VALUE = Pattern.compile("[ -~]*");

    /** What the sender or the protocol sets. */
    private static final Set<String> OURS = Set.of(
            "idempotency-key",
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "te",
            "trailer",
            "expect",
            "accept-encoding",
            "proxy-connection");

    private final HttpVersionPolicy version;
    private final SSLContext tls;
    private final Duration connectTimeout;
    private final Duration answerTimeout;
    private final int maxAnswer;
    private final Map<String, String> headers;

    private HttpConfig(
            HttpVersionPolicy version,
            SSLContext tls,
            Duration connectTimeout,
            Duration answerTimeout,
            int maxAnswer,
            Map<String, String> headers) {
        this.version = version;
        this.tls = tls;
        this.connectTimeout = connectTimeout;
        this.answerTimeout = answerTimeout;
        this.maxAnswer = maxAnswer;
        this.headers = headers;
    }

    /**
     * @param prefix of the destination's keys
     * @throws IllegalArgumentException naming key, value and remedy; no value that may be secret
     */
    static HttpConfig read(String prefix, ConfigValues values) {
        int maxAnswer = values.integer(prefix + "max-answer-bytes", MAX_ANSWER);
        if (maxAnswer < 0) {
            throw new IllegalArgumentException(prefix + "max-answer-bytes is " + maxAnswer + "; write 0 or more");
        }
        return new HttpConfig(
                version(prefix + "http-version", values),
                Tls.read(prefix, values),
                timeout(prefix + "connect-timeout", values, CONNECT_TIMEOUT),
                timeout(prefix + "answer-timeout", values, null),
                maxAnswer,
                headers(prefix, values));
    }

    private static HttpVersionPolicy version(String key, ConfigValues values) {
        String text = values.text(key).orElse("negotiated");
        return switch (text) {
            case "negotiated" -> HttpVersionPolicy.NEGOTIATE;
            case "1.1" -> HttpVersionPolicy.FORCE_HTTP_1;
            case "2" -> HttpVersionPolicy.FORCE_HTTP_2;
            default -> throw new IllegalArgumentException(key + " is '" + text + "'; write negotiated, 1.1 or 2");
        };
    }

    private static Duration timeout(String key, ConfigValues values, Duration absent) {
        Duration value = values.duration(key, absent);
        if (value != null && (value.toMillis() < 1 || value.compareTo(LONGEST_TIMEOUT) > 0)) {
            throw new IllegalArgumentException(key + " is " + value + " but must lie between 1 ms and 1 day");
        }
        return value;
    }

    private static Map<String, String> headers(String prefix, ConfigValues values) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String listed : values.text(prefix + "headers").orElse("").split(",")) {
            String name = listed.strip();
            if (!name.isEmpty()) {
                headers.put(name, header(prefix, name, values));
            }
        }
        authorization(prefix, values).ifPresent(value -> {
            if (headers.keySet().stream().anyMatch("Authorization"::equalsIgnoreCase)) {
                throw new IllegalArgumentException(
                        prefix + "headers lists Authorization beside a user or a token; leave one of them");
            }
            headers.put("Authorization", value);
        });
        return headers;
    }

    private static String header(String prefix, String name, ConfigValues values) {
        if (!HEADER_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    prefix + "headers lists '" + name + "'; write names such as X-Tenant, separated by commas");
        }
        if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    prefix + "headers lists " + name + ", which the sender sets itself; leave it out");
        }
        String key = prefix + "header." + name;
        return printable(
                key,
                values.text(key)
                        .orElseThrow(() ->
                                new IllegalArgumentException(key + " is not set; " + prefix + "headers lists it")));
    }

    private static Optional<String> authorization(String prefix, ConfigValues values) {
        Optional<String> user = values.text(prefix + "user");
        Optional<String> password = values.text(prefix + "password");
        Optional<String> token = values.text(prefix + "token");
        if (user.isPresent() != password.isPresent()) {
            throw new IllegalArgumentException(
                    prefix + (user.isPresent() ? "password" : "user") + " is not set; user and password go together");
        }
        if (user.isPresent() && token.isPresent()) {
            throw new IllegalArgumentException(prefix + "token is set beside " + prefix + "user; leave one of them");
        }
        if (user.isPresent()) {
            if (user.get().contains(":")) {
                throw new IllegalArgumentException(prefix + "user has a colon, which no basic authentication carries");
            }
            String pair = user.get() + ":" + password.get();
            return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return token.map(text -> "Bearer " + printable(prefix + "token", text));
    }

    private static String printable(String key, String value) {
        if (!HEADER_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(key + " has characters that no header carries; write printable ASCII");
        }
        return value;
    }

    /** Connections as configured; to be closed. */
    HttpWire open() {
        return new HttpWire(version, tls, connectTimeout, answerTimeout, maxAnswer);
    }

    /** The headers of every request, but for those of the sender's own. */
    Map<String, String> headers() {
        return headers;
    }

    /** Without what it holds of secrets. */
    @Override
    public String toString() {
        return "HTTP " + version + (tls == null ? "" : " with TLS of its own") + ", headers " + headers.keySet();
    }
}
