package io.turnframe.outbox.it.harness;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A server of {@code arquillian.xml} beyond its deployments: through its operators' tools, its ports and its log. */
public abstract class TestServer {
    private final String container;

    TestServer(String container) {
        this.container = container;
    }

    /** The one that runs through all tests. */
    public static TestServer server() {
        return of("server");
    }

    /** The one that a test starts and stops. */
    public static TestServer node() {
        return of("node");
    }

    private static TestServer of(String container) {
        return switch (kind()) {
            case "wildfly" -> new WildFly(container);
            case "payara" -> new Payara(container);
            default -> throw unknown(kind());
        };
    }

    /** Which kind of server it is, as a group of {@code arquillian.xml}. */
    static String kind() {
        return System.getProperty("arquillian.launch");
    }

    /** The ports of a server of this kind before the offset. */
    static Ports ports() {
        return switch (kind()) {
            case "wildfly" -> WildFly.PORTS;
            case "payara" -> Payara.PORTS;
            default -> throw unknown(kind());
        };
    }

    private static IllegalArgumentException unknown(String kind) {
        return new IllegalArgumentException("arquillian.launch is " + kind + " but must be wildfly or payara");
    }

    /** Where applications and operators' tools connect, and what else must be free. */
    record Ports(int http, int management, List<Integer> others) {
        List<Integer> all() {
            List<Integer> all = new ArrayList<>(others);
            all.add(http);
            all.add(management);
            return all;
        }
    }

    /** Sets system properties of the running server; a deployment sees them when it starts. */
    public abstract void setProperties(Map<String, String> properties);

    abstract void removeProperties(Set<String> names);

    /**
     * Makes the files of a folder configuration, each by its name, below system properties; a deployment sees them when it
     * starts. For many at once.
     *
     * @throws UnsupportedOperationException if this server cannot
     */
    public abstract void addConfiguration(Path folder);

    /** Undoes {@link #addConfiguration}. */
    public abstract void removeConfiguration();

    /** Gives system properties the values with which the server started, and removes those that it started without. */
    public final void resetProperties(Set<String> names) {
        Map<String, String> initial = options(container);
        initial.keySet().retainAll(names);
        if (!initial.isEmpty()) {
            setProperties(initial);
        }
        Set<String> added = new LinkedHashSet<>(names);
        added.removeAll(initial.keySet());
        if (!added.isEmpty()) {
            removeProperties(added);
        }
    }

    /** The system properties with which a container starts. */
    static Map<String, String> options(String container) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : System.getProperty("it." + container + ".options").split(" ")) {
            int equals = option.indexOf('=');
            options.put(option.substring("-D".length(), equals), option.substring(equals + 1));
        }
        return options;
    }

    /**
     * Starts the job {@code outbox-dispatch} as the server's own console does.
     *
     * @param parameters each as {@code name=>value}
     * @throws UnsupportedOperationException if this server's console cannot
     */
    public abstract void startDispatchJob(String... parameters);

    /**
     * Undeploys the outbox and deploys it again, as the server's own console does.
     *
     * @throws IllegalStateException with what the server said, if it does not start
     * @throws UnsupportedOperationException if there is no such thing on this server
     */
    public abstract void redeploy();

    /** What the server's own console or tool shows of an execution of {@code outbox-dispatch}. */
    public abstract String shows(long executionId);

    /**
     * Starts the job {@code outbox-purge} so, for what completed longer ago than {@code completedAfter}.
     *
     * @throws UnsupportedOperationException if this server's console cannot
     */
    public abstract void startPurgeJob(String completedAfter);

    /** Every line logged so far, in every test that has run. */
    public abstract List<String> logged();

    /** What was logged so far that must not be: a warning or worse of one of our loggers, or a stack trace with us in it. */
    public abstract List<String> complaints();

    /** Where an application of this context root answers. */
    public final String url(String contextRoot) {
        return "http://localhost:" + System.getProperty("it." + container + ".http-port") + contextRoot;
    }

    /** A connection of a client of its own to the database that this server, and it alone, has. */
    public final Connection database() throws SQLException {
        return DriverManager.getConnection(
                System.getProperty("it.database.url").formatted(container.equals("server") ? "outbox" : container));
    }

    final String container() {
        return container;
    }
}
