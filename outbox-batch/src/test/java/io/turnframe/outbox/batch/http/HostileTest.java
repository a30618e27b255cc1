package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.batch.http.Behaviour.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sender against remotes that misbehave for real: each ends as the table in {@code docs/senders.md} says. */
@Timeout(60)
class HostileTest {
    private static final Path DOCUMENT = Path.of("../docs/senders.md");

    private static final String HEADING = "### What remotes do, and what becomes of it";

    @TempDir
    private static Path folder;

    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = new Certificates(folder);
    }

    @Test
    void theDocumentNamesEachBehaviour() throws IOException {
        assertThat(documented().keySet())
                .containsExactlyElementsOf(
                        Arrays.stream(Behaviour.values()).map(Behaviour::label).toList());
    }

    @ParameterizedTest
    @EnumSource
    void endsAsDocumented(Behaviour behaviour) throws Exception {
        String documented = documented().get(behaviour.label());
        assertThat(documented).as("the row of the table").isNotNull();
        try (HostileServer server = new HostileServer(sockets(behaviour.transport()), behaviour.script());
                HttpSender sender = sender(behaviour, server.port())) {
            Dispatched answer =
                    sender.send(OutboxEntry.pending(new UUID(1, 1), "airline", "key-1", "{\"seat\":\"12A\"}"));
            assertThat(List.of(documented.split(", or "))).contains(words(answer));
            assertThat(server.requests())
                    .as("requests on the wire")
                    .isLessThanOrEqualTo(words(answer).contains(HttpSender.NOT_CONNECTED) ? 0 : 1);
        }
    }

    private static String words(Dispatched answer) {
        return switch (answer.kind()) {
            case COMPLETED -> "completed";
            case PERMANENT -> "permanent `" + ((Dispatched.Permanent) answer).code() + "`";
            case UNKNOWN -> "unknown";
            case RETRYABLE -> {
                Dispatched.Retryable retryable = (Dispatched.Retryable) answer;
                yield (retryable.isUnavailable() ? "unavailable `" : "retryable `") + retryable.code() + "`";
            }
        };
    }

    private static HttpSender sender(Behaviour behaviour, int port) throws IOException {
        Transport transport = behaviour.transport();
        Map<String, String> settings = new HashMap<>(Map.of("answer-timeout", "10s"));
        settings.putAll(behaviour.settings());
        String path = settings.getOrDefault("path", "/bookings");
        String host = transport == Transport.NO_HOST ? "nowhere.invalid" : "localhost";
        int at = transport == Transport.NOBODY ? free() : port;
        String url = (transport.isHttps() ? "https://" : "http://") + host + ":" + at + path;
        if (transport.isHttps()) {
            settings.put("trust-store", certificates.store("trust").toString());
            settings.put("trust-store-password", Certificates.PASSWORD);
        }
        if (settings.containsKey("client")) {
            settings.put("key-store", certificates.store(settings.get("client")).toString());
            settings.put("key-store-password", Certificates.PASSWORD);
        }
        return new HttpSender(Routes.route(url, settings));
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static ServerSocketFactory sockets(Transport transport) throws Exception {
        return switch (transport) {
            case TLS -> tls("server", socket -> {});
            case TLS_CLIENT -> tls("server", socket -> socket.setNeedClientAuth(true));
            case TLS_12_CLIENT ->
                tls("server", socket -> {
                    socket.setNeedClientAuth(true);
                    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                });
            case TLS_H2 ->
                tls("server", socket -> {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(new String[] {"h2"});
                    socket.setSSLParameters(parameters);
                });
            case TLS_STRANGER -> tls("stranger", socket -> {});
            case TLS_ELSEWHERE -> tls("elsewhere", socket -> {});
            default -> ServerSocketFactory.getDefault();
        };
    }

    private static ServerSocketFactory tls(String key, Consumer<SSLServerSocket> setting) throws Exception {
        ServerSocketFactory sockets = certificates.server(key).getServerSocketFactory();
        return new ServerSocketFactory() {
            @Override
            public ServerSocket createServerSocket(int port) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
                SSLServerSocket socket = (SSLServerSocket) sockets.createServerSocket(port, backlog, address);
                setting.accept(socket);
                return socket;
            }
        };
    }

    /** Each behaviour with what becomes of it. */
    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("#")) {
                inTable = line.equals(HEADING);
            } else if (inTable && line.startsWith("| ")) {
                String[] cells = line.split(" \\| |^\\| | \\|$");
                rows.put(cells[1], cells[2]);
            }
        }
        rows.remove("the remote");
        return rows;
    }
}
