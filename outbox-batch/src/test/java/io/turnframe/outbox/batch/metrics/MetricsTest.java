package io.turnframe.outbox.batch.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxObserver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A signal that is not taken in counts nothing, and the alert on it never fires. */
class MetricsTest {
    @Test
    void takesInEverySignalThatAnObserverIsTold() {
        for (Class<?> observer : List.of(Metrics.class, Meters.class)) {
            assertThat(signatures(observer)).containsAll(signatures(OutboxObserver.class));
        }
    }

    private static List<String> signatures(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(MetricsTest::signature)
                .toList();
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
