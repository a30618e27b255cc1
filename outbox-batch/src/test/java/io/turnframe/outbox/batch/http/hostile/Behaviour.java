package io.turnframe.outbox.batch.http.hostile;

import static io.turnframe.outbox.batch.http.hostile.H2Server.INTERNAL_ERROR;
import static io.turnframe.outbox.batch.http.hostile.H2Server.REFUSED_STREAM;
import static io.turnframe.outbox.batch.http.hostile.H2Server.STATUS_200;
import static io.turnframe.outbox.batch.http.hostile.H2Server.STATUS_500;

import io.turnframe.outbox.batch.http.hostile.HostileServer.Connection;
import io.turnframe.outbox.batch.http.hostile.HostileServer.Script;
import java.io.IOException;
import java.util.Map;

/** What remotes do, each by the words of the table in {@code docs/senders.md}. */
public enum Behaviour {
    OK("200", status("200 OK")),
    CREATED("201 with `Location`", status("201 Created", "Location: /bookings/7")),
    ACCEPTED("202", status("202 Accepted")),
    NO_CONTENT("204", after(c -> c.write("HTTP/1.1 204 No Content\r\n\r\n"))),
    CONTINUE("100, then 200", c -> {
        c.write("HTTP/1.1 100 Continue\r\n\r\n");
        status("200 OK").serve(c);
    }),
    HINTS_WITHOUT_END(
            "103 again and again, and no answer",
            after(c -> forEver(() -> c.write("HTTP/1.1 103 Early Hints\r\n\r\n"))),
            Map.of("answer-timeout", "300ms")),
    SWITCHING(
            "101",
            after(c -> {
                c.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
                c.drain();
            }),
            Map.of("answer-timeout", "300ms")),
    MOVED("301, to itself", status("301 Moved Permanently", "Location: /")),
    TEMPORARY("307, to itself", status("307 Temporary Redirect", "Location: /")),
    BAD("400", status("400 Bad Request")),
    UNAUTHORIZED("401", status("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"")),
    FORBIDDEN("403", status("403 Forbidden")),
    NOT_FOUND("404, and the URL has no place for an id", status("404 Not Found")),
    ID_NOT_FOUND("404, and the URL has one", status("404 Not Found")),
    NOT_ALLOWED("405", status("405 Method Not Allowed")),
    PROXY("407", status("407 Proxy Authentication Required")),
    REQUEST_TIMEOUT("408", status("408 Request Timeout")),
    CONFLICT("409", status("409 Conflict")),
    GONE("410", status("410 Gone")),
    TOO_LARGE("413", status("413 Content Too Large")),
    UNPROCESSABLE("422", status("422 Unprocessable Content")),
    TOO_EARLY("425", status("425 Too Early")),
    TOO_MANY("429", status("429 Too Many Requests")),
    TOO_MANY_UNTIL("429 with `Retry-After` in seconds", status("429 Too Many Requests", "Retry-After: 7")),
    ERROR("500", status("500 Internal Server Error")),
    BAD_GATEWAY("502", status("502 Bad Gateway")),
    UNAVAILABLE("503", status("503 Service Unavailable")),
    UNAVAILABLE_SECONDS("503 with `Retry-After` in seconds", status("503 Service Unavailable", "Retry-After: 7")),
    UNAVAILABLE_DATE(
            "503 with `Retry-After` as a date",
            status("503 Service Unavailable", "Retry-After: Sun, 01 Nov 2099 12:01:00 GMT")),
    UNAVAILABLE_PAST(
            "503 with `Retry-After` in the past",
            status("503 Service Unavailable", "Retry-After: Sun, 01 Nov 2020 12:01:00 GMT")),
    UNAVAILABLE_ABSURD(
            "503 with an absurd `Retry-After`", status("503 Service Unavailable", "Retry-After: 99999999999999999999")),
    UNAVAILABLE_UNREADABLE(
            "503 with an unreadable `Retry-After`", status("503 Service Unavailable", "Retry-After: soon")),
    GATEWAY_TIMEOUT("504", status("504 Gateway Timeout")),
    NO_STATUS("a status that is none (999)", status("999 What")),

    NOBODY("nobody listens", Transport.NOBODY, Connection::reset, Map.of()),
    NO_HOST("no such host", Transport.NO_HOST, Connection::reset, Map.of()),
    RESET_AT_ONCE("resets the connection as soon as it stands", Connection::reset),
    RESET_IN_REQUEST("resets it after the first byte of the request", c -> {
        c.readByte();
        c.countRequest();
        c.reset();
    }),
    RESET_AFTER("resets it after the request", after(Connection::reset)),
    CLOSES_AFTER("closes it after the request", after(c -> {})),
    HALF_CLOSES("closes its side after the request, and keeps the other open", after(c -> {
        c.halfClose();
        c.hang();
    })),
    HANGS("says nothing after the request", after(Connection::hang), Map.of("answer-timeout", "300ms")),
    CLOSES_IN_STATUS("closes it within the status line", after(c -> c.write("HTTP/1.1 2"))),
    CLOSES_IN_HEADERS("closes it within the headers", after(c -> c.write("HTTP/1.1 200 OK\r\nContent-Le"))),
    CLOSES_AFTER_STATUS("closes it after the status of a 200", after(c -> c.write("HTTP/1.1 200"))),
    CLOSES_AFTER_LINE("closes it after the status line of a 200", after(c -> c.write("HTTP/1.1 200 OK\r\n"))),
    CLOSES_BEFORE_EMPTY_LINE(
            "closes it after the headers of a 200, before the empty line",
            after(c -> c.write("HTTP/1.1 200 OK\r\nX: y\r\n"))),
    SLOW_HEADERS(
            "sends a 200, and stalls in its headers",
            after(c -> {
                c.write("HTTP/1.1 200 OK\r\nX: y\r\n");
                c.hang();
            }),
            Map.of("answer-timeout", "300ms")),
    MANY_HEADERS("sends headers without end", after(c -> {
        c.write("HTTP/1.1 200 OK\r\n");
        forEver(() -> c.write("X: y\r\n"));
    })),
    LONG_HEADER("sends a header without end", after(c -> {
        c.write("HTTP/1.1 200 OK\r\nX: ");
        forEver(() -> c.write("y".repeat(1024)));
    })),
    SLOW_BODY(
            "sends a 200, and stalls in its body",
            after(c -> {
                c.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                c.hang();
            }),
            Map.of("answer-timeout", "300ms")),
    SHORT_BODY(
            "sends a 200, and closes within its body",
            after(c -> c.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))),
    SHORT_CHUNKS(
            "sends a 200 in chunks, and closes before the last",
            after(c -> c.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"))),
    BAD_CHUNKS(
            "sends a 200 in malformed chunks",
            after(c -> c.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfour\r\nhalf\r\n0\r\n\r\n"))),
    TWO_GIGABYTES("announces a 200 of 2 GB", after(c -> {
        c.write("HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n");
        forEver(() -> c.write("y".repeat(1024)));
    })),
    BODY_WITHOUT_END("sends a 200 in chunks without end", after(c -> {
        c.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        forEver(() -> c.write("400\r\n" + "y".repeat(1024) + "\r\n"));
    })),
    NOT_HTTP("answers something that is not HTTP", after(c -> c.write("220 mail.example ESMTP\r\n\r\n"))),
    BAD_LENGTH(
            "answers with a length that is no number",
            after(c -> c.write("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n0123456789"))),

    TLS_OK("TLS, 200", Transport.TLS, status("200 OK"), Map.of()),
    TLS_CLIENT("TLS, which wants our certificate and gets it", Transport.TLS_CLIENT, status("200 OK"), Map.of()),
    TLS_STRANGER(
            "TLS, a certificate that nobody we trust has signed", Transport.TLS_STRANGER, status("200 OK"), Map.of()),
    TLS_ELSEWHERE("TLS, a certificate for another host", Transport.TLS_ELSEWHERE, status("200 OK"), Map.of()),
    TLS_PLAIN(
            "no TLS where we expect it",
            Transport.PLAIN_FOR_TLS,
            c -> c.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
            Map.of()),
    TLS_CLOSES("closes within the TLS handshake", Transport.PLAIN_FOR_TLS, c -> c.readByte(), Map.of()),
    TLS_HANGS(
            "says nothing in the TLS handshake",
            Transport.PLAIN_FOR_TLS,
            Connection::hang,
            Map.of("connect-timeout", "300ms")),
    TLS_NO_CLIENT(
            "TLS 1.2, which wants a certificate of ours and gets none",
            Transport.TLS_12_CLIENT,
            status("200 OK"),
            Map.of()),

    TLS_13_NO_CLIENT(
            "TLS 1.3, which wants a certificate of ours and gets none",
            Transport.TLS_CLIENT,
            status("200 OK"),
            Map.of()),

    TLS_H2(
            "TLS that agrees on HTTP/2, 200",
            Transport.TLS_H2,
            c -> {
                H2Server server = new H2Server(c);
                server.answer(H2Server.request(server, true), STATUS_200);
                c.drain();
            },
            Map.of()),
    H2_OK("HTTP/2, 200", true, (s, stream) -> s.answer(stream, STATUS_200)),
    H2_ERROR("HTTP/2, 500", true, (s, stream) -> s.answer(stream, STATUS_500)),
    H2_GOES_AWAY(
            "HTTP/2, `GOAWAY` that excludes the request",
            true,
            (s, stream) -> s.goAway(0),
            // The client waits on.
            Map.of("http-version", "2", "answer-timeout", "1s")),
    H2_GOES_AWAY_AFTER("HTTP/2, `GOAWAY` that includes it, then 200", true, (s, stream) -> {
        s.goAway(stream);
        s.answer(stream, STATUS_200);
    }),
    H2_REFUSES(
            "HTTP/2, `RST_STREAM` with `REFUSED_STREAM`", true, (s, stream) -> s.resetStream(stream, REFUSED_STREAM)),
    H2_RESETS("HTTP/2, `RST_STREAM` within the answer", true, (s, stream) -> {
        s.frame(H2Server.HEADERS, H2Server.END_HEADERS, stream, STATUS_200);
        s.resetStream(stream, INTERNAL_ERROR);
    }),
    H2_CLOSES("HTTP/2, closes after the request", false, (s, stream) -> {});

    /** What there is at the address. */
    enum Transport {
        PLAIN,
        H2,
        NOBODY,
        NO_HOST,
        TLS,
        TLS_CLIENT,
        TLS_H2,
        TLS_12_CLIENT,
        TLS_STRANGER,
        TLS_ELSEWHERE,
        /** The URL says https, and nobody there speaks TLS. */
        PLAIN_FOR_TLS;

        boolean isHttps() {
            return name().contains("TLS");
        }
    }

    private interface H2Script {
        void serve(H2Server server, int stream) throws IOException;
    }

    private interface Step {
        void run() throws IOException;
    }

    private final String label;
    private final Transport transport;
    private final Script script;
    private final Map<String, String> settings;

    Behaviour(String label, Script script) {
        this(label, script, Map.of());
    }

    Behaviour(String label, boolean drains, H2Script script) {
        this(label, drains, script, Map.of("http-version", "2"));
    }

    Behaviour(String label, boolean drains, H2Script script, Map<String, String> settings) {
        this(
                label,
                Transport.H2,
                c -> {
                    H2Server server = new H2Server(c);
                    script.serve(server, H2Server.request(server, true));
                    if (drains) {
                        c.drain();
                    }
                },
                settings);
    }

    Behaviour(String label, Script script, Map<String, String> settings) {
        this(label, Transport.PLAIN, script, settings);
    }

    Behaviour(String label, Transport transport, Script script, Map<String, String> settings) {
        this.label = label;
        this.transport = transport;
        this.script = script;
        this.settings = settings;
    }

    public String label() {
        return label;
    }

    Transport transport() {
        return transport;
    }

    Script script() {
        return script;
    }

    /** What the destination has set, beside its URL and the stores of keys. */
    Map<String, String> settings() {
        return settings;
    }

    /** That of the URL. */
    String path() {
        return this == ID_NOT_FOUND ? "/bookings/{outbox_id}" : "/bookings";
    }

    /** Whether what arrives is read; where it is not, nobody can tell whether a request has left. */
    public boolean readsRequests() {
        return this != RESET_AT_ONCE && this != TLS_13_NO_CLIENT;
    }

    /** The certificate of ours, or null. */
    String client() {
        return this == TLS_CLIENT ? "client" : null;
    }

    private static Script status(String status, String... headers) {
        return after(c -> {
            c.write("HTTP/1.1 " + status + "\r\n" + String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n")
                    + "Content-Length: 2\r\n\r\n{}");
            c.drain();
        });
    }

    private static Script after(Script script) {
        return c -> {
            c.readRequest();
            script.serve(c);
        };
    }

    private static void forEver(Step step) throws IOException {
        while (true) {
            step.run();
        }
    }
}
