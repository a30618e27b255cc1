package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.testing.ScriptedRemote;
import io.turnframe.outbox.testing.SenderCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpSenderTest {
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> headers = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch hang = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<HttpSender> senders = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " " + body);
            headers.add(exchange.getRequestHeaders().entrySet().toString());
            switch (exchange.getRequestURI().getPath()) {
                case "/ok" -> {
                    exchange.getResponseHeaders().add("Location", "/bookings/7");
                    exchange.sendResponseHeaders(201, -1);
                }
                case "/json" -> {
                    byte[] answer = "{\"ref\":\"PNR-1\"}".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                }
                case "/moved" -> {
                    exchange.getResponseHeaders().add("Location", "/ok");
                    exchange.sendResponseHeaders(307, -1);
                }
                case "/hang" -> awaitQuietly(hang);
                default -> throw new IOException("closes the connection without an answer");
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        hang.countDown();
        senders.forEach(HttpSender::close);
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void postsThePayloadsBytesUnderTheKey() {
        Dispatched answer = sender("/ok").send(entry("key-1", "{\"name\":\"Åse \uD83D\uDEEB\"}"));
        assertThat(answer).isEqualTo(Dispatched.completed("/bookings/7"));
        assertThat(requests).containsExactly("POST /ok application/json key-1 {\"name\":\"Åse \uD83D\uDEEB\"}");
    }

    @Test
    void sendsWhatTheDestinationIsConfiguredWith() {
        Map<String, String> settings = Map.of(
                "method",
                "PUT",
                "token",
                "t0k3n",
                "headers",
                "X-Tenant,Content-Type",
                "header.X-Tenant",
                "7",
                "header.Content-Type",
                "application/cloudevents+json");
        assertThat(sender("/ok/{idempotency_key}", settings)
                        .send(entry("a b", "{}"))
                        .kind())
                .isEqualTo(Dispatched.Kind.UNKNOWN);
        assertThat(requests).containsExactly("PUT /ok/a%20b application/cloudevents+json a b {}");
        assertThat(headers.get(0))
                .contains("Authorization=[Bearer t0k3n]")
                .contains("7")
                .doesNotContain("Expect");
    }

    @Test
    void deletesWithoutAPayload() {
        assertThat(sender("/ok", Map.of("method", "DELETE")).send(entry("k", "{}")))
                .isEqualTo(Dispatched.completed("/bookings/7"));
        assertThat(requests).containsExactly("DELETE /ok null k ");
    }

    @Test
    void sendsALargePayloadWhole() {
        String payload = "\"" + "x".repeat(3_000_000) + "\"";
        assertThat(sender("/ok").send(entry("k", payload))).isEqualTo(Dispatched.completed("/bookings/7"));
        assertThat(requests).containsExactly("POST /ok application/json k " + payload);
    }

    @Test
    void keepsTheReferenceOfTheBody() {
        assertThat(sender("/json", Map.of("reference-pointer", "/ref")).send(entry("k", "{}")))
                .isEqualTo(Dispatched.completed("PNR-1"));
        assertThat(sender("/json", Map.of("reference-pointer", "/ref", "max-answer-bytes", "5"))
                        .send(entry("k", "{}")))
                .as("a body that is too long")
                .isEqualTo(Dispatched.unknown());
    }

    @Test
    void doesNotFollowARedirect() {
        assertThat(sender("/moved").send(entry("k", "{}"))).isEqualTo(Dispatched.unknown());
        assertThat(requests).hasSize(1);
    }

    @Test
    void takesAConnectionThatBreaksAfterTheRequestForUnknownAndDoesNotRepeatIt() {
        assertThat(sender("/broken").send(entry("k", "{}"))).isEqualTo(Dispatched.unknown());
        assertThat(requests).hasSize(1);
    }

    @Test
    void endsAsUnknownWhenInterrupted() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        List<Dispatched> answers = new ArrayList<>();
        Future<?> send = threads.submit(() -> {
            answers.add(sender("/hang").send(entry("k", "{}")));
            done.countDown();
        });
        await().until(() -> !requests.isEmpty());
        send.cancel(true);
        done.await();
        assertThat(answers).containsExactly(Dispatched.unknown());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u00E9", "\u4E2D", " k", "k ", "a\tb"})
    void refusesAKeyThatNoHeaderCarriesUnchanged(String key) {
        assertThat(sender("/ok").send(entry(key, "{}"))).isEqualTo(Dispatched.permanent("turnframe.http.invalid_key"));
        assertThat(requests).isEmpty();
    }

    /** As after an error in its thread. */
    @Test
    void sendsOnAfterItsClientHasEnded() throws Exception {
        String url = "http://localhost:" + server.getAddress().getPort() + "/ok";
        try (HttpWire wire = Routes.route(url, Map.of()).http().open()) {
            wire.requester().initiateShutdown();
            HttpHost host = HttpHost.create(URI.create(url));
            assertThat(wire.exchange(host, new BasicHttpRequest("GET", host, "/ok"), null, false)
                            .status())
                    .isEqualTo(201);
        }
    }

    @Test
    void sendsNothingOnceItIsClosed() {
        HttpSender sender = sender("/ok");
        sender.close();
        assertThat(sender.send(entry("k", "{}"))).isEqualTo(Dispatched.unavailable("turnframe.http.not_connected"));
        assertThat(requests).isEmpty();
    }

    @Test
    void keepsTheRulesOfSenders() throws IOException {
        try (ScriptedRemote remote = ScriptedRemote.start();
                HttpSender sender = new HttpSender(Routes.route(remote.url() + "/bookings", Map.of()))) {
            assertThat(SenderCheck.of(remote, sender).run()).isEmpty();
        }
    }

    private HttpSender sender(String path) {
        return sender(path, Map.of());
    }

    private HttpSender sender(String path, Map<String, String> settings) {
        String url = "http://localhost:" + server.getAddress().getPort() + path;
        HttpSender sender = new HttpSender(Routes.route(url, settings));
        senders.add(sender);
        return sender;
    }

    private static OutboxEntry entry(String key, String payload) {
        return OutboxEntry.pending(new UUID(1, 1), "airline", key, payload);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
