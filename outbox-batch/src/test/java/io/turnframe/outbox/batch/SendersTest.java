package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A destination whose sender cannot be had is unroutable, whatever keeps it away; it never breaks a run. */
class SendersTest {
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

    private static void assertUnroutable(Supplier<OutboxSender> bean) {
        Senders senders = senders(bean, Map.of("outbox.destinations", "a"));
        assertThat(senders.find("a")).isEmpty();
        assertThat(senders.unroutable()).containsExactly("a");
    }

    private static Senders senders(Supplier<OutboxSender> bean, Map<String, String> values) {
        return senders(List.of(bean), values);
    }

    private static Senders senders(List<Supplier<OutboxSender>> beans, Map<String, String> values) {
        DispatchSettings settings = new DispatchSettings();
        settings.read(new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()));
        return new Senders(settings, new JmsDestinations(settings, new ServerFacts()), beans(beans));
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
