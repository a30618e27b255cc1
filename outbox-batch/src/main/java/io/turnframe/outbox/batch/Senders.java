package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.batch.http.HttpSender;
import io.turnframe.outbox.batch.jms.JmsSender;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NamingException;

/** Finds the sender of a destination, and remembers for a while those that have none. */
@ApplicationScoped
public class Senders {
    private static final Logger LOG = Logger.getLogger(Senders.class.getName());

    /** How long an unroutable destination is left out before it is looked for again: it may have been deployed. */
    private static final Duration UNROUTABLE = Duration.ofSeconds(5);

    private DispatchSettings settings;

    private JmsDestinations jms;

    private ServerFacts facts;

    private DestinationBeans<OutboxSender> beans;

    /** How long an EJB of another deployment, or a queue, is kept before it is looked up anew: it may be another by then. */
    private static final Duration FRESH = Duration.ofMillis(50);

    private final Map<String, HttpSender> http = new ConcurrentHashMap<>();

    private final Map<String, Found> found = new ConcurrentHashMap<>();

    /** What a look-up found, and when. */
    private record Found(OutboxSender sender, long at) {}

    private final Map<String, Long> unroutable = new ConcurrentHashMap<>();

    /** The destinations of which it is known whether their sender goes with the data source. */
    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /** For the proxy of the container. */
    Senders() {}

    @Inject
    Senders(DispatchSettings settings, JmsDestinations jms, ServerFacts facts, @Any Instance<OutboxSender> beans) {
        this.settings = settings;
        this.jms = jms;
        this.facts = facts;
        this.beans = new DestinationBeans<>(OutboxSender.class, beans);
    }

    @PostConstruct
    void build() {
        for (DestinationConfig destination : settings.destinations().values()) {
            if (destination.http() != null) {
                http.put(destination.name(), new HttpSender(destination.http()));
            }
        }
    }

    @PreDestroy
    void close() {
        http.values().forEach(HttpSender::close);
    }

    /** The destination's sender, or empty if it has none now; that is logged and remembered. */
    Optional<OutboxSender> find(String destination) {
        try {
            OutboxSender sender = lookUp(destination);
            unroutable.remove(destination);
            if (sender instanceof TransactionalSender && !checked.contains(destination)) {
                check(destination);
            }
            return Optional.of(sender);
        } catch (NamingException | RuntimeException | LinkageError none) {
            if (unroutable.put(destination, System.nanoTime()) == null) {
                LOG.log(Level.WARNING, "destination {0} is unroutable, its entries wait: {1}", new Object[] {
                    destination, reason(none)
                });
            }
            return Optional.empty();
        }
    }

    /** Warns once where a crash could tear apart what a sender and its settlement commit. While the server starts it does not tell. */
    private void check(String destination) {
        if (facts.isStarting() || !checked.add(destination)) {
            return;
        }
        if (facts.isXaDataSource().equals(Optional.of(false))) {
            LOG.log(
                    Level.WARNING,
                    "destination {0} has a transactional sender, and the data source jdbc/OutboxDS is not XA: in a crash an entry"
                            + " may be completed whose effect is lost, unless that is made over jdbc/OutboxDS itself; make it"
                            + " an XA data source",
                    destination);
        }
    }

    /** Not the trace of what is no accident: one that is not deployed yet. */
    private static String reason(Throwable none) {
        return none instanceof IllegalStateException ? none.getMessage() : none.toString();
    }

    /** Whether it has a sender now; one that is not listed has none. */
    boolean isRoutable(String destination) {
        return configured().contains(destination) && find(destination).isPresent();
    }

    /**
     * Warns of each configured destination that has no sender yet. That is no error, since an EJB may be deployed later; no bean
     * is made for it, and nothing remembered.
     */
    void warnOfMissing() {
        for (DestinationConfig destination : settings.destinations().values()) {
            String key = key(destination.name());
            try {
                if (destination.http() != null) {
                    continue;
                }
                if (destination.jms() != null) {
                    // While the server starts, its queues may not be there yet.
                    if (jms.undecided().isEmpty()) {
                        JmsSender.lookUp(prefix(destination.name()), destination.jms());
                    }
                } else if (destination.sender() != null) {
                    beans.ejb(key, destination.sender());
                } else if (!beans.hasBean(key, destination.name())) {
                    throw missing(destination.name());
                }
            } catch (NamingException | RuntimeException | LinkageError none) {
                LOG.log(Level.WARNING, "destination {0} has no sender yet, its entries wait: {1}", new Object[] {
                    destination.name(), reason(none)
                });
            }
        }
    }

    /** The destinations that were found to have no sender a short while ago, and those of JMS while the server starts. */
    Set<String> unroutable() {
        long now = System.nanoTime();
        return Stream.concat(
                        jms.undecided().stream(),
                        unroutable.entrySet().stream()
                                .filter(entry -> now - entry.getValue() < UNROUTABLE.toNanos())
                                .map(Map.Entry::getKey))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The destinations that are listed in the configuration. */
    Set<String> configured() {
        return settings.destinations().keySet();
    }

    /** The configuration of a run, with what the destination has of its own laid over it. */
    DispatchConfig config(String destination, DispatchConfig run) {
        DestinationConfig configured = settings.destinations().get(destination);
        return configured == null ? run : configured.over(run);
    }

    /** The destinations whose remote drops a request whose key it has seen, and must. */
    Set<String> deduplicating() {
        return jms.without(settings.deduplicating());
    }

    /** Whether the remote drops a request whose key it has seen. */
    boolean deduplicates(String destination) {
        DestinationConfig configured = settings.destinations().get(destination);
        return configured != null && configured.deduplicates();
    }

    /** Entries in a row that did not arrive after which it counts as failing; 0: it never does. */
    int breakerAfter(String destination) {
        DestinationConfig configured = settings.destinations().get(destination);
        return configured == null ? DestinationConfig.BREAKER_AFTER : configured.breakerAfter();
    }

    /**
     * Sends in flight to it on this node at most.
     *
     * @param nodeConcurrency sends in flight on this node; half of it is a destination's unless configured otherwise
     */
    int concurrency(String destination, int nodeConcurrency) {
        DestinationConfig configured = settings.destinations().get(destination);
        return configured == null
                ? DestinationConfig.defaultConcurrency(nodeConcurrency)
                : configured.concurrency(nodeConcurrency);
    }

    private OutboxSender lookUp(String destination) throws NamingException {
        DestinationConfig configured = settings.destinations().get(destination);
        if (configured == null) {
            throw new IllegalStateException("outbox.destinations does not list it");
        }
        OutboxSender sender = http.get(destination);
        if (sender != null) {
            return sender;
        }
        String key = key(destination);
        if (configured.sender() != null) {
            Found last = found.get(destination);
            if (last == null || System.nanoTime() - last.at() >= FRESH.toNanos()) {
                OutboxSender looked =
                        configured.jms() == null ? beans.ejb(key, configured.sender()) : jmsSender(configured);
                last = new Found(looked, System.nanoTime());
                found.put(destination, last);
            }
            return last.sender();
        }
        return beans.bean(key, destination).orElseThrow(() -> missing(destination));
    }

    private OutboxSender jmsSender(DestinationConfig configured) throws NamingException {
        JmsSender sender = JmsSender.lookUp(prefix(configured.name()), configured.jms());
        // By its type a run knows how to send.
        return jms.isJoint(configured.name()) ? sender : sender::send;
    }

    private static IllegalStateException missing(String destination) {
        return new IllegalStateException("outbox.destination." + destination
                + ".url and .sender are not set, and no CDI bean is qualified @Destination(\"" + destination + "\")");
    }

    private static String key(String destination) {
        return prefix(destination) + "sender";
    }

    private static String prefix(String destination) {
        return "outbox.destination." + destination + ".";
    }
}
