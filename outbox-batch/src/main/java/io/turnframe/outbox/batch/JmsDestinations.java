package io.turnframe.outbox.batch;

import io.turnframe.outbox.batch.jms.JmsRoute;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Which JMS destinations are sent to in the transaction that settles. The others send first and settle then, as all senders do.
 * Decided once, at the first look after the server has started, and what an operator ought to know of it is said then.
 *
 * <p>It locks an object of its own: the proxy of a scoped bean repeats {@code synchronized}, on another monitor.
 */
@ApplicationScoped
public class JmsDestinations {
    private static final Logger LOG = Logger.getLogger(JmsDestinations.class.getName());

    /** WildFly's, of which two servers' recoveries would take each other's transactions for their own. */
    private static final String DEFAULT_NODE = "1";

    private DispatchSettings settings;
    private ServerFacts facts;

    private final Object lock = new Object();
    private final Set<String> joint = new HashSet<>();
    private boolean decided;

    /** For the proxy of the container. */
    JmsDestinations() {}

    @Inject
    JmsDestinations(DispatchSettings settings, ServerFacts facts) {
        this.settings = settings;
        this.facts = facts;
    }

    /** All of them, while the server is starting and does not say what it can; then none. */
    Set<String> undecided() {
        return isDecided()
                ? Set.of()
                : all().stream().map(DestinationConfig::name).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether its messages are sent in the transaction that settles.
     *
     * @throws IllegalStateException while it is {@linkplain #undecided undecided}
     */
    boolean isJoint(String destination) {
        if (!isDecided()) {
            throw new IllegalStateException("the server is starting, and does not say yet what is XA");
        }
        return joint.contains(destination);
    }

    /** These names without those of joint destinations: what is sent to them needs nobody to deduplicate. */
    Set<String> without(Collection<String> destinations) {
        Set<String> others = new TreeSet<>(destinations);
        if (isDecided()) {
            others.removeAll(joint);
        }
        return others;
    }

    private List<DestinationConfig> all() {
        return settings.destinations().values().stream()
                .filter(destination -> destination.jms() != null)
                .toList();
    }

    private boolean isDecided() {
        synchronized (lock) {
            if (!decided) {
                List<DestinationConfig> all = all();
                if (all.isEmpty() || !facts.isStarting()) {
                    decide(all);
                    decided = true;
                }
            }
            return decided;
        }
    }

    private void decide(List<DestinationConfig> all) {
        for (DestinationConfig destination : all) {
            if (destination.jms().xa() == JmsRoute.Xa.FALSE) {
                continue;
            }
            Optional<String> obstacle = obstacle(destination);
            if (obstacle.isPresent()) {
                LOG.log(
                        Level.WARNING,
                        "destination {0} sends its messages first and settles then, not in one transaction, since {1}",
                        new Object[] {destination.name(), obstacle.get()});
            } else {
                joint.add(destination.name());
                LOG.log(
                        Level.INFO,
                        "destination {0} sends its messages in the transaction that settles",
                        destination.name());
            }
        }
        if (!joint.isEmpty()) {
            warnOfRecovery();
            warnOfSmallPool(all);
        }
        warnOfSharedPlaces(all);
    }

    /**
     * Why message and settlement are not to be one transaction, with the remedy; empty if they are. What the server knows,
     * no configuration overrules: a resource that is not XA may join as the last one all the same, which a crash tears off,
     * or does not join, and its message is out whatever becomes of the transaction.
     */
    private Optional<String> obstacle(DestinationConfig destination) {
        JmsRoute route = destination.jms();
        String key = "outbox.destination." + destination.name() + ".xa";
        Optional<String> certain = known(route).map(reason -> reason + "; mend that, or set " + key + " to false");
        if (certain.isPresent() || route.xa() == JmsRoute.Xa.TRUE) {
            return certain;
        }
        return unsaid(route)
                .map(what -> "the server does not say whether " + what + " is XA; set " + key
                        + " to true if it is, or to false");
    }

    /** What the server says that stands against it. */
    private Optional<String> known(JmsRoute route) {
        if (facts.isXaDataSource().equals(Optional.of(false))) {
            return Optional.of("the data source jdbc/OutboxDS is not XA");
        }
        if (isXaFactory(route).equals(Optional.of(false))) {
            return Optional.of("the connection factory " + names(route) + " is not XA");
        }
        Integer prepared = facts.maxPreparedTransactions();
        return prepared != null && prepared == 0
                ? Optional.of("PostgreSQL's max_prepared_transactions is 0")
                : Optional.empty();
    }

    /** Of what the server says nothing. */
    private Optional<String> unsaid(JmsRoute route) {
        if (facts.isXaDataSource().isEmpty()) {
            return Optional.of("the data source jdbc/OutboxDS");
        }
        return isXaFactory(route).isEmpty() ? Optional.of("the connection factory " + names(route)) : Optional.empty();
    }

    private Optional<Boolean> isXaFactory(JmsRoute route) {
        return route.factories().stream()
                .map(facts::isXaConnectionFactory)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String names(JmsRoute route) {
        return String.join(" or ", route.factories());
    }

    private void warnOfRecovery() {
        Integer prepared = facts.maxPreparedTransactions();
        int pool = facts.poolSize().orElse(1);
        if (prepared != null && prepared < pool) {
            LOG.log(
                    Level.WARNING,
                    "PostgreSQL''s max_prepared_transactions is {0}, and the pool of jdbc/OutboxDS has {1} connections: where more"
                            + " transactions are prepared at once, they roll back; raise it to the sum of the pools that use it",
                    new Object[] {prepared, pool});
        }
        if (facts.nodeIdentifier().filter(DEFAULT_NODE::equals).isPresent()) {
            LOG.warning(
                    "the server's transactions have the node identifier 1, as those of every server that was given none: the"
                            + " recovery of one would roll back those of another; give each its own, with"
                            + " /subsystem=transactions:write-attribute(name=node-identifier, value=...)");
        }
    }

    /** Each of their sends has a connection for as long as it takes. */
    private void warnOfSmallPool(List<DestinationConfig> all) {
        int node = settings.config().concurrency();
        long together = all.stream()
                .filter(destination -> joint.contains(destination.name()))
                .mapToLong(destination -> destination.concurrency(node))
                .sum();
        long sends = Math.min(node, together);
        facts.poolSize()
                .filter(pool -> sends > pool)
                .ifPresent(pool -> LOG.log(
                        Level.WARNING,
                        "up to {0} messages are sent at once in transactions that settle, each with a connection of its own, and"
                                + " the pool of jdbc/OutboxDS has {1}: sends that get none are put off; raise its"
                                + " max-pool-size, or lower outbox.destination.<name>.concurrency of {2}",
                        new Object[] {sends, pool, String.join(", ", new TreeSet<>(joint))}));
    }

    /** A key is one value of the broker's duplicate detection, whichever destination it belongs to. */
    private static void warnOfSharedPlaces(List<DestinationConfig> all) {
        Map<String, Set<String>> byPlace = new HashMap<>();
        all.forEach(destination -> byPlace.computeIfAbsent(destination.jms().place(), place -> new LinkedHashSet<>())
                .add(destination.name()));
        byPlace.forEach((place, names) -> {
            if (names.size() > 1) {
                LOG.log(
                        Level.WARNING,
                        "the destinations {0} all send to {1}: of two entries with the same idempotency key the broker takes one",
                        new Object[] {String.join(", ", names), place});
            }
        });
    }
}
