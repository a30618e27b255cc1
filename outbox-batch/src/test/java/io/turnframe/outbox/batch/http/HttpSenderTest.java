package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpSenderTest {
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch hang = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
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
            switch (exchange.getRequestURI().getPath()) {
                case "/ok" -> {
                    exchange.getResponseHeaders().add("Location", "/bookings/7");
                    exchange.sendResponseHeaders(201, -1);
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
    void takesARefusedConnectionForNotArrived() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        URI nobody = URI.create("http://localhost:" + free + "/");
        assertThat(new HttpSender(nobody, null).send(entry("k", "{}")))
                .isEqualTo(Dispatched.retryable("turnframe.http.not_connected"));
    }

    @Test
    void takesAnUnknownHostForNotArrived() {
        assertThat(new HttpSender(URI.create("http://nowhere.invalid/"), null).send(entry("k", "{}")))
                .isEqualTo(Dispatched.retryable("turnframe.http.not_connected"));
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

    private HttpSender sender(String path) {
        return new HttpSender(
                URI.create("http://localhost:" + server.getAddress().getPort() + path), null);
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
