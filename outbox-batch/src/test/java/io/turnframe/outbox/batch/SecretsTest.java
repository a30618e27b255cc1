package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.batch.http.HttpQuestion;
import io.turnframe.outbox.batch.http.HttpReconciler;
import io.turnframe.outbox.batch.http.HttpRoute;
import io.turnframe.outbox.batch.http.HttpSender;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ConfigValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A marker in payload, key, credentials and whatever a remote sends back reaches no log, at any level, no observer, no code
 * and no message. The remotes here send all of it back.
 */
class SecretsTest extends RunFixture {
    private static final String MARKER = "m4rk3r";

    private static final Map<String, String> SECRETS = Map.of(
            "user",
            "u" + MARKER,
            "password",
            MARKER,
            "headers",
            "X-Key",
            "header.X-Key",
            MARKER,
            "answer-timeout",
            "2s");

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final Map<Logger, Level> levels = new HashMap<>();
    private final Handler handler = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            StringWriter text = new StringWriter().append(formatter.format(record));
            if (record.getThrown() != null) {
                record.getThrown().printStackTrace(new PrintWriter(text));
            }
            told.add(text.toString());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private HttpServer remote;

    @BeforeEach
    void start() throws IOException {
        for (String name : List.of("", "io.turnframe.outbox", "org.apache.hc")) {
            Logger logger = Logger.getLogger(name);
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.ALL);
        }
        // The remote's own.
        Logger server = Logger.getLogger("com.sun.net.httpserver");
        levels.put(server, server.getLevel());
        server.setLevel(Level.OFF);
        Logger.getLogger("").addHandler(handler);
        remote = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        remote.setExecutor(threads);
        remote.createContext("/", SecretsTest::echo);
        remote.start();
    }

    @AfterEach
    void stop() {
        remote.stop(0);
        Logger.getLogger("").removeHandler(handler);
        levels.forEach(Logger::setLevel);
    }

    /** Answers the status that the path names, with the request in headers and body; none: closes the connection. */
    private static void echo(HttpExchange exchange) throws IOException {
        String sent = exchange.getRequestHeaders().entrySet()
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
        if (status == 0) {
            throw new IOException(sent);
        }
        byte[] body = sent.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("X-Echo", MARKER);
        exchange.getResponseHeaders().add("Retry-After", MARKER);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void keepsSecretsOutOfLogsObserversAndCodes() {
        observers.add(new Listening());
        List<HttpSender> opened = new ArrayList<>();
        for (int status : new int[] {0, 200, 400, 401, 422, 429, 500, 503}) {
            HttpSender sender = new HttpSender(HttpRoute.read("p.", url("/" + status), false, values(SECRETS)));
            opened.add(sender);
            senders.put("d" + status, marked(sender::send));
            for (int i = 0; i <= DestinationConfig.BREAKER_AFTER; i++) {
                store.add("d" + status, 1);
            }
        }
        senders.put("throws", entry -> {
            throw new IllegalStateException(MARKER);
        });
        store.add("throws", 1);
        senders.put("codes", entry -> Dispatched.permanent("the card " + MARKER + "\nwas refused"));
        store.add("codes", 1);
        drive(run());
        opened.forEach(HttpSender::close);

        assertThat(store.settled.size()).isGreaterThan(30);
        assertThat(told).isNotEmpty().noneMatch(text -> text.contains(MARKER));
        assertThat(store.settled.values().toString()).doesNotContain(MARKER);
        assertThat(store.journal).extracting(Attempt::code).noneMatch(code -> code != null && code.contains(MARKER));
    }

    @Test
    void keepsSecretsOutOfTheLogsOfQuestions() {
        for (int status : new int[] {0, 200, 404, 500}) {
            String asked = url("/" + status) + "?key={idempotency_key}&token=" + MARKER;
            try (HttpReconciler reconciler = new HttpReconciler(HttpQuestion.read("p.", asked, values(SECRETS)))) {
                OutboxEntry entry = OutboxEntry.pending(new UUID(1, 1), "d", MARKER, "{}");
                assertThat(reconciler
                                .reconcile(new OutboxRecord(entry, null, null, null))
                                .toString())
                        .doesNotContain(MARKER);
            }
        }
        assertThat(told).noneMatch(text -> text.contains(MARKER));
    }

    @Test
    void keepsSecretsOutOfWhatIsShownOfADestination() {
        Map<String, String> settings = new HashMap<>(SECRETS);
        settings.put("url", "https://a.example/x?token=" + MARKER);
        DestinationConfig destination = DestinationConfig.read("airline", of("outbox.destination.airline.", settings));
        assertThat(destination.toString() + destination.route() + destination.http())
                .doesNotContain(MARKER)
                .contains("https://a.example/x");
        settings.put("url", "https://u:" + MARKER + "@a.example/x?token=" + MARKER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DestinationConfig.read("airline", of("outbox.destination.airline.", settings)))
                .withMessageNotContaining(MARKER);
    }

    private String url(String path) {
        return "http://localhost:" + remote.getAddress().getPort() + path;
    }

    /** The same entry, with the marker in payload and key. */
    private static OutboxSender marked(OutboxSender sender) {
        return entry -> sender.send(entry.toBuilder()
                .idempotencyKey(MARKER + "-" + entry.idempotencyKey())
                .payload("{\"card\":\"" + MARKER + "\"}")
                .build());
    }

    private static ConfigValues values(Map<String, String> settings) {
        return of("p.", settings);
    }

    private static ConfigValues of(String prefix, Map<String, String> settings) {
        return new ConfigValues(
                key -> Optional.ofNullable(settings.get(key.substring(prefix.length()))), UnaryOperator.identity());
    }

    /** What metrics are made of. */
    private final class Listening implements OutboxObserver {
        @Override
        public void sent(String destination, Duration latency, Dispatched.Kind answer) {
            told.add("sent " + destination + " " + answer);
        }

        @Override
        public void settled(String destination, Outcome outcome, String code) {
            told.add("settled " + destination + " " + outcome + " " + code);
        }
    }
}
