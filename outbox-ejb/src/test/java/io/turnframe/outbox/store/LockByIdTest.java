package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.TypedQuery;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LockByIdTest {
    @Test
    void neverNamesSoManyIdsThatMariaDbWouldMakeATableOfThem() {
        List<UUID> all = Stream.generate(UUID::randomUUID).limit(2_300).toList();
        List<Integer> sizes = new ArrayList<>();

        List<UUID> locked = LockById.upTo(2_200, () -> candidates(all), ids -> {
            sizes.add(ids.size());
            return ids;
        });

        assertThat(locked).isEqualTo(all.subList(0, 2_200));
        assertThat(sizes).allMatch(size -> size < 1_000);
    }

    /** A query for these ids, of which all are read at once. */
    @SuppressWarnings("unchecked")
    private static TypedQuery<UUID> candidates(List<UUID> ids) {
        int[] range = {0, ids.size()};
        return (TypedQuery<UUID>) Proxy.newProxyInstance(
                TypedQuery.class.getClassLoader(), new Class<?>[] {TypedQuery.class}, (query, method, arguments) -> {
                    switch (method.getName()) {
                        case "setFirstResult" -> range[0] = Math.min((int) arguments[0], ids.size());
                        case "setMaxResults" -> range[1] = Math.min(range[0] + (int) arguments[0], ids.size());
                        default -> {
                            return ids.subList(range[0], range[1]);
                        }
                    }
                    return query;
                });
    }
}
