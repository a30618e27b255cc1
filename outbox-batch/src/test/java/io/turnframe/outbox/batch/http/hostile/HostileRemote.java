package io.turnframe.outbox.batch.http.hostile;

import io.turnframe.outbox.batch.http.hostile.Behaviour.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/** A remote that behaves so, or the lack of one, and what a destination is to have set to get there. */
public final class HostileRemote implements AutoCloseable {
    private final Behaviour behaviour;
    private final Certificates certificates;
    private final HostileServer server;

    public HostileRemote(Behaviour behaviour, Certificates certificates) throws Exception {
        this.behaviour = behaviour;
        this.certificates = certificates;
        this.server = new HostileServer(sockets(behaviour.transport(), certificates), behaviour.script());
    }

    public String url() throws IOException {
        Transport transport = behaviour.transport();
        String host = transport == Transport.NO_HOST ? "nowhere.invalid" : "localhost";
        int port = transport == Transport.NOBODY ? free() : server.port();
        return (transport.isHttps() ? "https://" : "http://") + host + ":" + port + behaviour.path();
    }

    /** The destination's keys beside {@code url}, without their beginning. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of("answer-timeout", "10s"));
        settings.putAll(behaviour.settings());
        if (behaviour.transport().isHttps()) {
            settings.put("trust-store", certificates.store("trust").toString());
            settings.put("trust-store-password", Certificates.PASSWORD);
        }
        if (behaviour.client() != null) {
            settings.put("key-store", certificates.store(behaviour.client()).toString());
            settings.put("key-store-password", Certificates.PASSWORD);
        }
        return settings;
    }

    /** Requests of which at least the first line has arrived. */
    public int requests() {
        return server.requests();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static ServerSocketFactory sockets(Transport transport, Certificates certificates) throws Exception {
        return switch (transport) {
            case TLS -> tls(certificates, "server", socket -> {});
            case TLS_CLIENT -> tls(certificates, "server", socket -> socket.setNeedClientAuth(true));
            case TLS_12_CLIENT ->
                tls(certificates, "server", socket -> {
                    socket.setNeedClientAuth(true);
                    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                });
            case TLS_H2 ->
                tls(certificates, "server", socket -> {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(new String[] {"h2"});
                    socket.setSSLParameters(parameters);
                });
            case TLS_STRANGER -> tls(certificates, "stranger", socket -> {});
            case TLS_ELSEWHERE -> tls(certificates, "elsewhere", socket -> {});
            default -> ServerSocketFactory.getDefault();
        };
    }

    private static ServerSocketFactory tls(Certificates certificates, String key, Consumer<SSLServerSocket> setting)
            throws Exception {
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
}
