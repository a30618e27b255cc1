package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.store.DispatchStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many claims are released at once, and what one that is refused does to the others. */
class AbandonedClaimsTest {
    private final FakeStore store = new FakeStore();
    private final List<UUID> unknown = new ArrayList<>();
    private final AbandonedClaims claims =
            new AbandonedClaims(AbandonedClaims.by(store, Duration.ofMinutes(5), () -> Set.of()), unknown::add);

    @Test
    void releasesManyInTransactionsOfALimitedSize() {
        List<UUID> all = abandoned(2 * DispatchStore.MAX_RELEASE + 1);
        assertThat(claims.release()).isTrue();
        assertThat(store.releases).containsExactly(DispatchStore.MAX_RELEASE, DispatchStore.MAX_RELEASE, 1);
        assertThat(unknown).containsExactlyElementsOf(all);
        assertThat(claims.release()).isFalse();
    }

    @Test
    void releasesAllButTheOneThatIsRefused() {
        List<UUID> all = abandoned(5);
        store.unreleasable.add(all.get(2));
        assertThat(claims.release()).isTrue();
        assertThat(store.abandoned).containsExactly(all.get(2));
        assertThat(unknown).containsExactly(all.get(0), all.get(1), all.get(3), all.get(4));

        assertThat(claims.release()).as("nothing new").isFalse();
        store.unreleasable.clear();
        assertThat(claims.release()).isTrue();
        assertThat(store.abandoned).isEmpty();
    }

    @Test
    void triesNoRowByItselfWhileNothingAnswersAndThrowsNothing() {
        List<UUID> all = abandoned(5);
        store.isDown = true;
        assertThat(claims.release()).isFalse();
        assertThat(unknown).isEmpty();
        assertThat(store.releases).as("only together").hasSize(1);

        store.isDown = false;
        assertThat(claims.release()).isTrue();
        assertThat(unknown).containsExactlyElementsOf(all);
    }

    @Test
    void stopsAndTellsOfWhatItReleasedWhenNothingAnswersAnyMore() {
        List<UUID> all = abandoned(5);
        store.unreleasable.add(all.get(4));
        store.downAfterReleases = 3;
        assertThat(claims.release()).isTrue();
        assertThat(unknown).containsExactly(all.get(0), all.get(1));
        assertThat(store.releases).as("together, two, and one that fails").containsExactly(5, 1, 1, 1);
    }

    private List<UUID> abandoned(int count) {
        for (int i = 0; i < count; i++) {
            store.abandoned.add(UUID.randomUUID());
        }
        return List.copyOf(store.abandoned);
    }
}
