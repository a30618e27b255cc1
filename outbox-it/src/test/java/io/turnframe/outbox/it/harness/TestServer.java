package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
        String kind = System.getProperty("arquillian.launch");
        return switch (kind) {
            case "wildfly" -> new WildFly(container);
            default -> throw new IllegalArgumentException("arquillian.launch is " + kind + " but must be wildfly");
        };
    }

    /** Sets a system property of the running server; a deployment sees it when it starts. */
    public abstract void setProperty(String name, String value);

    public abstract void removeProperty(String name);

    /** Starts the job {@code outbox-dispatch} as the server's own console does. */
    public abstract void startDispatchJob();

    abstract Path log();

    /** Where an application of this context root answers. */
    public final String url(String contextRoot) {
        return "http://localhost:" + System.getProperty("it." + container + ".http-port") + contextRoot;
    }

    /** Every line logged so far. */
    public final List<String> logged() {
        try {
            return Files.readAllLines(log());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    final String container() {
        return container;
    }
}
