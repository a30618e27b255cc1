package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.container.LifecycleException;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.arquillian.protocol.servlet5.ServletMethodExecutor;
import org.jboss.arquillian.protocol.servlet5.v_5.ServletProtocol;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/**
 * Payara for Arquillian. The project's own adapter starts a server with the first deployment only, so that one which has
 * its applications already cannot be started again, and it has seen no release since 2022.
 */
public final class PayaraContainer implements DeployableContainer<PayaraContainer.Configuration> {
    private static final int NOT_FOUND = 404;

    private static final Duration LONGEST_START = Duration.ofMinutes(5);

    private final Set<String> deployed = new LinkedHashSet<>();
    private Configuration configuration;
    private PayaraDomain domain;

    /** What {@code arquillian.xml} says of a container. */
    public static final class Configuration implements ContainerConfiguration {
        private String container;

        /** Which of the two it is, {@code server} or {@code node}. */
        public void setContainer(String container) {
            this.container = container;
        }

        @Override
        public void validate() {}
    }

    @Override
    public Class<Configuration> getConfigurationClass() {
        return Configuration.class;
    }

    @Override
    public void setup(Configuration given) {
        configuration = given;
        domain = new PayaraDomain(given.container);
    }

    @Override
    public void start() throws LifecycleException {
        try {
            domain.start(TestServer.options(configuration.container));
            for (String application : deployed) {
                Awaitility.await(application + " answers")
                        .atMost(LONGEST_START)
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(() -> status("/" + application + "/") != NOT_FOUND);
            }
        } catch (RuntimeException failed) {
            throw new LifecycleException("Payara did not start", failed);
        }
    }

    @Override
    public void stop() throws LifecycleException {
        try {
            domain.stop();
        } catch (RuntimeException failed) {
            throw new LifecycleException("Payara did not stop", failed);
        }
    }

    @Override
    public ProtocolDescription getDefaultProtocol() {
        return new ProtocolDescription(ServletProtocol.PROTOCOL_NAME);
    }

    @Override
    public ProtocolMetaData deploy(Archive<?> archive) throws DeploymentException {
        Path file = Tool.directory("deployments").resolve(archive.getName());
        archive.as(ZipExporter.class).exportTo(file.toFile(), true);
        run("deploy", "--name", application(archive), file.toString());
        deployed.add(application(archive));
        return new ProtocolMetaData()
                .addContext(new HTTPContext("localhost", port())
                        .add(new Servlet(ServletMethodExecutor.ARQUILLIAN_SERVLET_NAME, testsIn(archive))));
    }

    @Override
    public void undeploy(Archive<?> archive) throws DeploymentException {
        run("undeploy", application(archive));
        deployed.remove(application(archive));
    }

    private void run(String... command) throws DeploymentException {
        try {
            domain.run(command);
        } catch (RuntimeException failed) {
            throw new DeploymentException(String.join(" ", command) + " failed", failed);
        }
    }

    private int status(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL("http", "localhost", port(), path).openConnection();
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    private int port() {
        return Integer.getInteger("it." + configuration.container + ".http-port");
    }

    /** The context root of the WAR in which tests run, if any do. */
    private static String testsIn(Archive<?> archive) {
        return archive instanceof EnterpriseArchive ? Archives.PROBE_ROOT : application(archive);
    }

    private static String application(Archive<?> archive) {
        return archive.getName().replaceFirst("\\.[^.]+$", "");
    }
}
