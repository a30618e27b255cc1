package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.turnframe.outbox.store.ConfigValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Message and settlement are one transaction only where the server can, and an operator hears what stands against it. */
class JmsDestinationsTest {
    private static final Logger LOG = Logger.getLogger(JmsDestinations.class.getName());

    private final Map<String, String> values = new HashMap<>(Map.of(
            "outbox.destinations", "d",
            "outbox.destination.d.sender", "jms",
            "outbox.destination.d.queue", "java:/jms/queue/Q"));

    private final List<String> warnings = new ArrayList<>();

    private Optional<Boolean> xaDataSource = Optional.of(true);
    private Map<String, Boolean> factories = Map.of("java:/JmsXA", true);
    private Integer prepared = 100;
    private String node = "node-1";
    private int pool = 20;
    private boolean starting;

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel() == Level.WARNING) {
                warnings.add(new SimpleFormatter().formatMessage(logged));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(handler);
    }

    private final ServerFacts facts = new ServerFacts() {
        @Override
        boolean isStarting() {
            return starting;
        }

        @Override
        Optional<Boolean> isXaDataSource() {
            return xaDataSource;
        }

        @Override
        Optional<Boolean> isXaConnectionFactory(String name) {
            return Optional.ofNullable(factories.get(name));
        }

        @Override
        Optional<Integer> poolSize() {
            return Optional.of(pool);
        }

        @Override
        Optional<String> nodeIdentifier() {
            return Optional.of(node);
        }

        @Override
        Integer maxPreparedTransactions() {
            return prepared;
        }
    };

    @Test
    void isOneTransactionWhereBothAreXa() {
        assertThat(decided().isJoint("d")).isTrue();
        assertThat(decided().without(List.of("d", "other"))).containsExactly("other");
        assertThat(warnings).isEmpty();
    }

    @Test
    void sendsFirstWhereTheServerCannotAndSaysWhy() {
        xaDataSource = Optional.of(false);
        fallsBack("the data source jdbc/OutboxDS is not XA");
        xaDataSource = Optional.empty();
        fallsBack("does not say whether the data source jdbc/OutboxDS is XA");
        xaDataSource = Optional.of(true);
        factories = Map.of("java:/JmsXA", false);
        fallsBack("the connection factory java:/JmsXA or java:comp/DefaultJMSConnectionFactory is not XA");
        values.put("outbox.destination.d.connection-factory", "java:/Other");
        fallsBack("does not say whether the connection factory java:/Other is XA");
        factories = Map.of("java:/Other", true);
        prepared = 0;
        fallsBack("PostgreSQL's max_prepared_transactions is 0");
        prepared = null;
        assertThat(decided().isJoint("d"))
                .as("a database that has no such bound")
                .isTrue();
    }

    /** A resource that is not XA may join all the same, and is torn off by a crash. */
    @Test
    void sendsFirstWhereTheServerKnowsThatItCannotWhateverItIsTold() {
        values.put("outbox.destination.d.xa", "true");
        xaDataSource = Optional.of(false);
        fallsBack("the data source jdbc/OutboxDS is not XA");
        xaDataSource = Optional.empty();
        factories = Map.of("java:/JmsXA", false);
        fallsBack("the connection factory java:/JmsXA or java:comp/DefaultJMSConnectionFactory is not XA");
        factories = Map.of();
        prepared = 0;
        fallsBack("PostgreSQL's max_prepared_transactions is 0");
    }

    @Test
    void doesAsItIsToldWhereTheServerSaysNothing() {
        xaDataSource = Optional.empty();
        factories = Map.of();
        values.put("outbox.destination.d.xa", "true");
        assertThat(decided().isJoint("d")).isTrue();
        xaDataSource = Optional.of(true);
        values.put("outbox.destination.d.xa", "false");
        assertThat(decided().isJoint("d")).isFalse();
        assertThat(warnings).isEmpty();
    }

    @Test
    void waitsUntilTheServerHasStarted() {
        starting = true;
        JmsDestinations destinations = decided();
        assertThat(destinations.undecided()).containsExactly("d");
        assertThat(destinations.without(List.of("d"))).containsExactly("d");
        assertThatIllegalStateException().isThrownBy(() -> destinations.isJoint("d"));
        starting = false;
        assertThat(destinations.undecided()).isEmpty();
        assertThat(destinations.isJoint("d")).isTrue();
        assertThat(warnings).isEmpty();
    }

    @Test
    void warnsOfWhatRecoveryOrLoadWouldMeet() {
        prepared = 19;
        node = "1";
        assertThat(decided().isJoint("d")).isTrue();
        assertThat(warnings)
                .hasSize(2)
                .anyMatch(line -> line.contains("PostgreSQL's max_prepared_transactions is 19")
                        && line.contains("has 20 connections"))
                .anyMatch(line -> line.contains("node identifier 1"));
    }

    /** Two destinations may have 8 sends in flight each, and the node 16. */
    @Test
    void warnsOfAPoolThatHasNoConnectionForEverySend() {
        values.putAll(Map.of(
                "outbox.destinations", "d,e",
                "outbox.destination.e.sender", "jms",
                "outbox.destination.e.queue", "java:/jms/queue/E"));
        pool = 15;
        decided();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("up to 16 messages", "has 15", "max-pool-size", "concurrency of d, e");
        warnings.clear();
        pool = 16;
        values.put("outbox.destination.d.concurrency", "100");
        decided();
        assertThat(warnings).as("the node bounds them together").isEmpty();
        pool = 15;
        values.put("outbox.destination.d.concurrency", "7");
        decided();
        assertThat(warnings).isEmpty();
    }

    @Test
    void warnsOfTwoDestinationsThatShareAQueue() {
        values.putAll(Map.of(
                "outbox.destinations", "d,e",
                "outbox.destination.e.sender", "jms",
                "outbox.destination.e.queue", "java:/jms/queue/Q"));
        decided();
        assertThat(warnings).singleElement().asString().contains("d, e all send to java:/jms/queue/Q");
    }

    private void fallsBack(String reason) {
        warnings.clear();
        JmsDestinations decided = decided();
        assertThat(decided.isJoint("d")).isFalse();
        assertThat(decided.without(List.of("d"))).containsExactly("d");
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("destination d sends its messages first and settles then")
                .contains(reason)
                .contains("outbox.destination.d.xa");
    }

    private JmsDestinations decided() {
        DispatchSettings settings = new DispatchSettings();
        settings.read(new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()));
        JmsDestinations destinations = new JmsDestinations(settings, facts);
        destinations.undecided();
        return destinations;
    }
}
