package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** A destination whose sender cannot be had is unroutable, whatever keeps it away; it never breaks a run. */
class SendersTest {
    private Optional<Boolean> xaDataSource = Optional.empty();
    private boolean starting;

    private final ServerFacts facts = new ServerFacts() {
        @Override
        boolean isStarting() {
            return starting;
        }

        @Override
        Optional<Boolean> isXaDataSource() {
            return starting ? Optional.empty() : xaDataSource;
        }
    };

    @Test
    void findsABeanAndKeepsIt() {
        OutboxSender sender = entry -> Dispatched.completed();
        Senders senders = senders(() -> sender, Map.of("outbox.destinations", "a"));
        assertThat(senders.find("a")).containsSame(sender);
        assertThat(senders.unroutable()).isEmpty();
    }

    @Test
    void takesABeanThatCannotBeMadeForUnroutable() {
        assertUnroutable(() -> {
            throw new IllegalArgumentException("no password");
        });
        assertUnroutable(() -> {
            throw new NoClassDefFoundError("com/example/Client");
        });
        assertUnroutable(() -> {
            throw new ExceptionInInitializerError("static state");
        });
    }

    @Test
    void takesADestinationWithoutABeanOrWithSeveralForUnroutable() {
        Supplier<OutboxSender> bean = () -> entry -> Dispatched.completed();
        for (List<Supplier<OutboxSender>> beans : List.of(List.<Supplier<OutboxSender>>of(), List.of(bean, bean))) {
            Senders senders = senders(beans, Map.of("outbox.destinations", "a"));
            assertThat(senders.find("a")).isEmpty();
            assertThat(senders.unroutable()).containsExactly("a");
        }
    }

    @Test
    void takesADestinationThatIsNotListedForUnroutable() {
        Senders senders = senders(() -> entry -> Dispatched.completed(), Map.of());
        assertThat(senders.find("b")).isEmpty();
        assertThat(senders.unroutable()).containsExactly("b");
    }

    /** There is no JNDI here, so any name is one of nothing. */
    @Test
    void takesAnEjbThatIsNotThereForUnroutable() {
        Senders senders = senders(
                () -> entry -> Dispatched.completed(),
                Map.of("outbox.destinations", "a", "outbox.destination.a.sender", "java:global/absent"));
        assertThat(senders.find("a")).isEmpty();
        assertThat(senders.unroutable()).containsExactly("a");
    }

    @Test
    void saysWhetherADestinationHasASenderNow() {
        Senders senders = senders(
                () -> entry -> Dispatched.completed(),
                Map.of("outbox.destinations", "a,b", "outbox.destination.b.sender", "java:global/absent"));
        assertThat(senders.isRoutable("a")).isTrue();
        assertThat(senders.isRoutable("b")).as("an EJB that is not there").isFalse();
        assertThat(senders.isRoutable("c")).as("not listed").isFalse();
        assertThat(senders.unroutable()).as("looked for").containsExactly("b");
    }

    @Test
    void looksAtTheStartWithoutMakingABeanOrRememberingWhatIsMissing() {
        Senders senders = senders(
                () -> {
                    throw new AssertionError("made");
                },
                Map.of("outbox.destinations", "a,b", "outbox.destination.b.sender", "java:global/absent"));
        senders.warnOfMissing();
        assertThat(senders.unroutable()).isEmpty();
    }

    /** The server lets one resource that is not XA join, and cannot be asked to refuse it. */
    @Test
    void warnsOnceOfATransactionalSenderBesideADataSourceThatIsNotXa() {
        starting = true;
        xaDataSource = Optional.of(false);
        Senders senders = senders(transactional(), Map.of("outbox.destinations", "a,b"));
        assertThat(warnings(senders)).as("nothing is known yet").isEmpty();
        starting = false;
        assertThat(warnings(senders)).singleElement().asString().contains("destination a ", "jdbc/OutboxDS is not XA");
        assertThat(warnings(senders)).as("once").isEmpty();
    }

    @Test
    void warnsOfNoSenderThatGoesWithItsDataSource() {
        Map<String, String> values = Map.of("outbox.destinations", "a");
        xaDataSource = Optional.of(true);
        assertThat(warnings(senders(transactional(), values))).isEmpty();
        xaDataSource = Optional.empty();
        assertThat(warnings(senders(transactional(), values))).isEmpty();
        xaDataSource = Optional.of(false);
        assertThat(warnings(senders(() -> entry -> Dispatched.completed(), values)))
                .isEmpty();
    }

    private static Supplier<OutboxSender> transactional() {
        return () -> (TransactionalSender) entry -> Dispatched.completed();
    }

    /** What is logged as the sender of a is found. */
    private static List<String> warnings(Senders senders) {
        Logger log = Logger.getLogger(Senders.class.getName());
        List<String> warnings = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                warnings.add(new SimpleFormatter().formatMessage(logged));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            assertThat(senders.find("a")).isPresent();
        } finally {
            log.removeHandler(handler);
        }
        return warnings;
    }

    private void assertUnroutable(Supplier<OutboxSender> bean) {
        Senders senders = senders(bean, Map.of("outbox.destinations", "a"));
        assertThat(senders.find("a")).isEmpty();
        assertThat(senders.unroutable()).containsExactly("a");
    }

    private Senders senders(Supplier<OutboxSender> bean, Map<String, String> values) {
        return senders(List.of(bean), values);
    }

    private Senders senders(List<Supplier<OutboxSender>> beans, Map<String, String> values) {
        DispatchSettings settings = new DispatchSettings();
        settings.read(new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()));
        return new Senders(settings, new JmsDestinations(settings, facts), facts, beans(beans));
    }

    @SuppressWarnings("unchecked")
    private static Instance<OutboxSender> beans(List<Supplier<OutboxSender>> beans) {
        return (Instance<OutboxSender>) Proxy.newProxyInstance(
                SendersTest.class.getClassLoader(),
                new Class<?>[] {Instance.class},
                (instance, method, arguments) -> switch (method.getName()) {
                    case "select" -> instance;
                    case "isUnsatisfied" -> beans.isEmpty();
                    case "isAmbiguous" -> beans.size() > 1;
                    case "get" -> beans.get(0).get();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
