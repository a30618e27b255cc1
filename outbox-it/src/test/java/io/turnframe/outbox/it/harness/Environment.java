package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Starts the database before the first test, and says so to {@code arquillian.xml} in system properties; stops it after
 * the last, or with this JVM when that ends early. Arquillian starts and stops the server in between.
 */
public final class Environment implements LauncherSessionListener {
    private static final int[] SERVER_PORTS = {8080, 8443, 9990};

    private TestDatabase database;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String name = System.getProperty("it.database");
        if (name == null) {
            return; // Unit tests alone.
        }
        int offset = Integer.getInteger("it.port-offset");
        requireFreePorts(offset);
        database = TestDatabase.start(name);
        System.setProperty("it.management-port", Integer.toString(9990 + offset));
        System.setProperty("it.server.options", String.join(" ", database.serverOptions()));
        System.out.println("outbox.ear sha256 " + OutboxEar.checksum() + " on "
                + System.getProperty("arquillian.launch") + ", " + database.description());
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (database != null) {
            database.close();
        }
    }

    /** A server that is left over from somewhere else would answer in place of ours. */
    private static void requireFreePorts(int offset) {
        for (int port : SERVER_PORTS) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + offset));
            } catch (IOException taken) {
                throw new IllegalStateException(
                        "port " + (port + offset) + " is in use; choose other ports with -Dit.port-offset=N", taken);
            }
        }
    }
}
