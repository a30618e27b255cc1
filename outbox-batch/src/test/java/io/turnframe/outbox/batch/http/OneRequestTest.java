package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.batch.http.hostile.H2Server;
import io.turnframe.outbox.batch.http.hostile.HostileServer;
import io.turnframe.outbox.batch.http.hostile.HostileServer.Script;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each call is one request on the wire, also over a connection that is used again: the client repeats nothing by itself. */
@Timeout(60)
class OneRequestTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    @Test
    void sendsTheNextRequestOverTheSameConnection() throws IOException {
        Script script = c -> {
            while (true) {
                c.readRequest();
                c.write(created(c.number()));
            }
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    /** Without a reason, and in one chunk, as Tomcat writes it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\n\r\n{}",
                "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            })
    void usesAConnectionAgainWhateverTellsTheLength(String rest) throws IOException {
        Script script = c -> {
            while (true) {
                c.readRequest();
                c.write("HTTP/1.1 201 \r\nLocation: " + c.number() + "\r\n" + rest);
            }
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
        }
    }

    /** Where the client notices in time, another connection is made, and nothing is sent twice; else it is unknown. */
    @Test
    void makesAnotherConnectionWhereTheOneKeptOpenIsGone() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write(created(c.number()));
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            for (int calls = 1; calls <= 20; calls++) {
                assertThat(send(sender)).isIn(Dispatched.completed("" + server.requests()), Dispatched.unknown());
                assertThat(server.requests()).isLessThanOrEqualTo(calls);
            }
        }
    }

    @Test
    void doesNotRepeatWhatALongOpenConnectionDropped() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write(OK);
            c.readRequest();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed());
            assertThat(send(sender)).isEqualTo(Dispatched.unknown());
            assertThat(server.requests()).as("one for each call").isEqualTo(2);
        }
    }

    @Test
    void doesNotRepeatWhatHttp2Excluded() throws IOException {
        Script script = c -> {
            H2Server h2 = new H2Server(c);
            h2.answer(H2Server.request(h2, true), H2Server.STATUS_200);
            int second = H2Server.request(h2, false);
            h2.goAway(second - 2);
            c.drain();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of("http-version", "2", "answer-timeout", "500ms"))) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed());
            assertThat(send(sender)).isEqualTo(Dispatched.unknown());
            assertThat(server.requests()).as("one for each call").isEqualTo(2);
        }
    }

    /** The second answer would confirm an entry that the remote has not seen. */
    @Test
    void takesASurplusAnswerForNoneOfTheNextRequest() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write(created(c.number()).repeat(2));
            c.drain();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("2"));
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    /** Chunks do not hide it. */
    @Test
    void takesASurplusAnswerBehindChunksForNoneOfTheNextRequest() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write("HTTP/1.1 201 Created\r\nLocation: " + c.number()
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + created(c.number()));
            c.drain();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("2"));
        }
    }

    @Test
    void takesAPieceOfASurplusAnswerForNoneOfTheNextRequest() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write(created(c.number()) + created(c.number()).substring(0, 20));
            c.readRequest();
            c.write(created(c.number()).substring(20));
            c.drain();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("2"));
        }
    }

    @Test
    void takesASurplusAnswerThatComesLaterForNoneOfTheNextRequest() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        Script script = c -> {
            c.readRequest();
            c.write(OK);
            if (c.number() == 1) {
                awaitQuietly(more);
                c.write(OK);
                c.drain();
                gone.countDown();
            }
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed());
            more.countDown();
            gone.await();
            assertThat(send(sender)).isEqualTo(Dispatched.completed());
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    @Test
    void usesAConnectionNotAgainThatTheRemoteSaidItCloses() throws IOException {
        Script script = c -> {
            c.readRequest();
            c.write("HTTP/1.1 201 Created\r\nConnection: close\r\nLocation: " + c.number()
                    + "\r\nContent-Length: 0\r\n\r\n");
            c.drain();
        };
        try (HostileServer server = server(script);
                HttpSender sender = sender(server, Map.of())) {
            assertThat(send(sender)).isEqualTo(Dispatched.completed("1"));
            assertThat(send(sender)).isEqualTo(Dispatched.completed("2"));
        }
    }

    @Test
    void repeatsTheUnknownWhereTheRemoteDeduplicatesAndItIsSaid() throws IOException {
        Map<String, String> settings =
                Map.of("deduplicates", "true", "retry-unknown", "true", "answer-timeout", "300ms");
        try (HostileServer server = server(HostileServer.Connection::readRequest);
                HttpSender sender = sender(server, settings)) {
            assertThat(send(sender)).isEqualTo(Dispatched.retryable("turnframe.http.no_answer"));
        }
        Script error = c -> {
            c.readRequest();
            c.write("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
            c.drain();
        };
        try (HostileServer server = server(error);
                HttpSender sender = sender(server, settings)) {
            assertThat(send(sender)).isEqualTo(Dispatched.retryable("turnframe.http.status_500"));
        }
    }

    private static String created(int connection) {
        return "HTTP/1.1 201 Created\r\nLocation: " + connection + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static HostileServer server(Script script) throws IOException {
        return new HostileServer(ServerSocketFactory.getDefault(), script);
    }

    private static HttpSender sender(HostileServer server, Map<String, String> settings) {
        return new HttpSender(Routes.route("http://localhost:" + server.port() + "/", settings));
    }

    private static Dispatched send(HttpSender sender) {
        return sender.send(OutboxEntry.pending(new UUID(1, 1), "airline", "key-1", "{}"));
    }
}
