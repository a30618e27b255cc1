package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Starts the database before the first test, and says so to {@code arquillian.xml} in system properties; stops it after
 * the last, or with this JVM when that ends early. Arquillian starts and stops the servers in between.
 */
public final class Environment implements LauncherSessionListener {
    private static final int OFFSET_OF_NODE = 100;
    private static final int OFFSETS = 20;

    /** Stands for an offset: bound while its ports are used or about to be, so that no other run takes them. */
    private static final int RESERVATION = 7990;

    private TestDatabase database;
    private ServerSocket reservation;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String name = System.getProperty("it.database");
        if (name == null) {
            return; // Unit tests alone.
        }
        int offset = reserveOffset(Integer.getInteger("it.port-offset"));
        announcePorts("server", offset);
        announcePorts("node", offset + OFFSET_OF_NODE);
        database = TestDatabase.start(name);
        System.setProperty("it.database.url", database.url());
        announceOptions("server", List.of());
        announceOptions(
                "node",
                List.of(
                        "-Doutbox.postgresql.database=node",
                        "-Doutbox.mariadb.database=node",
                        "-Doutbox.dispatch.enabled=true",
                        "-Doutbox.dispatch.tick=500ms"));
        System.out.println("outbox.ear sha256 " + Archives.checksum() + " on " + TestServer.kind() + ", "
                + database.description());
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (database != null) {
            database.close();
            close(reservation);
        }
    }

    /** Where it and the database are, where its airline is, and which random sequences to run if the command line says so. */
    private void announceOptions(String container, List<String> more) {
        String port = System.getProperty("it." + container + ".http-port");
        List<String> options = new ArrayList<>(database.serverOptions());
        options.addAll(more);
        options.add("-Dit.http-port=" + port);
        options.add("-Doutbox.destinations=airline");
        options.add("-Doutbox.destination.airline.url=http://localhost:" + port + "/travel-desk/api/airline/requests");
        options.add("-Doutbox.destination.airline.reference-pointer=/reference");
        for (String property : System.getProperties().stringPropertyNames()) {
            if (property.startsWith("it.sequences.")) {
                options.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        System.setProperty("it." + container + ".options", String.join(" ", options));
    }

    /** A server that is left over, or runs for another checkout, would answer in place of ours. */
    private int reserveOffset(int first) {
        for (int offset = first; offset < first + OFFSETS * 2 * OFFSET_OF_NODE; offset += 2 * OFFSET_OF_NODE) {
            try {
                reservation = bind(RESERVATION + offset);
            } catch (IOException taken) {
                continue;
            }
            if (isFree(offset) && isFree(offset + OFFSET_OF_NODE)) {
                return offset;
            }
            close(reservation);
        }
        throw new IllegalStateException("ports are in use at " + OFFSETS + " offsets from " + first
                + " on; choose others with -Dit.port-offset=N");
    }

    private static boolean isFree(int offset) {
        for (int port : TestServer.ports().all()) {
            try {
                close(bind(port + offset));
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }

    private static ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException taken) {
            socket.close();
            throw taken;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void announcePorts(String container, int offset) {
        System.setProperty("it." + container + ".port-offset", Integer.toString(offset));
        System.setProperty(
                "it." + container + ".http-port",
                Integer.toString(TestServer.ports().http() + offset));
        System.setProperty(
                "it." + container + ".management-port",
                Integer.toString(TestServer.ports().management() + offset));
    }
}
