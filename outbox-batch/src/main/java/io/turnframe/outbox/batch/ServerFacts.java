package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.StoreConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What the server says of its transactions. WildFly shows its configuration as MBeans, by the names of its management model;
 * of other servers nothing is known, as of what is configured elsewhere.
 */
@ApplicationScoped
public class ServerFacts {
    private static final Logger LOG = Logger.getLogger(ServerFacts.class.getName());

    private static final String DATA_SOURCE = "java:/jdbc/OutboxDS";
    private static final String MODEL = "jboss.as:subsystem=";

    private static final String ROOT = "jboss.as:management-root=server";

    @Inject
    private StoreConfig store;

    /** Whether the server is starting: then its model is there by name, and cannot be read. */
    boolean isStarting() {
        try {
            ObjectName root = new ObjectName(ROOT);
            if (!server().isRegistered(root)) {
                return false;
            }
            Object state = attribute(root, "serverState");
            return state == null || "starting".equals(state);
        } catch (JMException notThisServer) {
            LOG.log(Level.FINE, "the server does not say its state", notThisServer);
            return false;
        }
    }

    /** Whether the outbox's data source is XA; empty if it is not known. */
    Optional<Boolean> isXaDataSource() {
        if (!dataSources("xa-data-source").isEmpty()) {
            return Optional.of(true);
        }
        return dataSources("data-source").isEmpty() ? Optional.empty() : Optional.of(false);
    }

    /** Connections that its pool has at most; empty if it is not known. */
    Optional<Integer> poolSize() {
        return dataSources("xa-data-source").stream()
                .map(name -> attribute(name, "maxPoolSize"))
                .filter(Integer.class::isInstance)
                .map(Integer.class::cast)
                .findFirst();
    }

    private static List<ObjectName> dataSources(String kind) {
        return named("datasources," + kind + "=*").stream()
                .filter(name -> DATA_SOURCE.equals(attribute(name, "jndiName")))
                .toList();
    }

    /** Whether the connection factory that is bound under this name is XA; empty if it is not known. */
    Optional<Boolean> isXaConnectionFactory(String jndiName) {
        for (ObjectName pooled : named("messaging-activemq,*")) {
            if (entries(pooled).contains(jndiName)) {
                return Optional.of("xa".equals(attribute(pooled, "transaction")));
            }
        }
        return Optional.empty();
    }

    /** Of those there are, connection factories alone have entries and a kind of transaction. */
    private static List<?> entries(ObjectName name) {
        boolean isFactory =
                name.getKeyPropertyList().keySet().stream().anyMatch(key -> key.endsWith("connection-factory"));
        return isFactory && attribute(name, "entries") instanceof Object[] entries ? Arrays.asList(entries) : List.of();
    }

    /** What tells this server's transactions from those of others; empty if it is not known. */
    Optional<String> nodeIdentifier() {
        return named("transactions").stream()
                .map(name -> attribute(name, "nodeIdentifier"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }

    /** Transactions that the database can keep prepared at once; null where it sets no bound. */
    Integer maxPreparedTransactions() {
        return store.maxPreparedTransactions();
    }

    private static Set<ObjectName> named(String pattern) {
        try {
            return server().queryNames(new ObjectName(MODEL + pattern), null);
        } catch (JMException | RuntimeException notKnown) {
            LOG.log(Level.FINE, "the server does not say what is " + pattern, notKnown);
            return Set.of();
        }
    }

    private static Object attribute(ObjectName name, String attribute) {
        try {
            return server().getAttribute(name, attribute);
        } catch (JMException | RuntimeException notKnown) {
            LOG.log(Level.FINE, "the server does not say the " + attribute + " of " + name, notKnown);
            return null;
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }
}
