package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.batch.http.HttpReconciler;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A reconciler that cannot be had is none, whatever keeps it away; it never breaks a sweep. */
class ReconcilersTest {
    private static final OutboxReconciler RECONCILER = record -> Reconciled.unresolved();

    @Test
    void findsABeanAndKeepsIt() {
        Reconcilers reconcilers = reconcilers(List.of(() -> RECONCILER), Map.of());
        assertThat(reconcilers.find("a")).containsSame(RECONCILER);
        assertThat(reconcilers.available()).containsExactly("a");
        assertThat(reconcilers.find("not listed")).isEmpty();
    }

    @Test
    void asksOverHttpWhereThereIsAUrlForIt() {
        Reconcilers reconcilers = reconcilers(
                List.of(() -> RECONCILER),
                Map.of("outbox.destination.a.reconcile-url", "http://localhost:1/{outbox_id}"));
        assertThat(reconcilers.find("a")).get().isInstanceOf(HttpReconciler.class);
        assertThat(reconcilers.find("a")).containsSame(reconcilers.find("a").orElseThrow());
        reconcilers.close();
    }

    @Test
    void hasNoneWithoutABeanOrWithSeveral() {
        assertNone(List.of(), Map.of());
        assertNone(List.of(() -> RECONCILER, () -> RECONCILER), Map.of());
    }

    @Test
    void hasNoneWhereTheBeanCannotBeMade() {
        assertNone(
                List.of(() -> {
                    throw new IllegalArgumentException("no password");
                }),
                Map.of());
        assertNone(
                List.of(() -> {
                    throw new NoClassDefFoundError("com/example/Client");
                }),
                Map.of());
    }

    /** There is no JNDI here, so any name is one of nothing. */
    @Test
    void hasNoneWhereTheEjbIsNotThereWhateverBeansThereAre() {
        assertNone(List.of(() -> RECONCILER), Map.of("outbox.destination.a.reconciler", "java:global/absent"));
    }

    private static void assertNone(List<Supplier<OutboxReconciler>> beans, Map<String, String> values) {
        Reconcilers reconcilers = reconcilers(beans, values);
        assertThat(reconcilers.find("a")).isEmpty();
        assertThat(reconcilers.available()).isEmpty();
    }

    private static Reconcilers reconcilers(List<Supplier<OutboxReconciler>> beans, Map<String, String> values) {
        ReconcileSettings settings = new ReconcileSettings();
        settings.read(
                new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()), Set.of("a"));
        return new Reconcilers(settings, beans(beans));
    }

    @SuppressWarnings("unchecked")
    private static Instance<OutboxReconciler> beans(List<Supplier<OutboxReconciler>> beans) {
        return (Instance<OutboxReconciler>) Proxy.newProxyInstance(
                ReconcilersTest.class.getClassLoader(),
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
