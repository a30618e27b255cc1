package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxPurge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a purge goes through what there is. */
class PurgeRunTest {
    private static final Duration MONTH = Duration.ofDays(30);

    private static final Duration YEAR = Duration.ofDays(365);

    private final Rows rows = new Rows();

    @Test
    void removesInChunksUntilNothingIsLeft() {
        rows.left.put(OutboxStatus.COMPLETED, 2_500);
        rows.left.put(OutboxStatus.FAILED, 3);

        PurgeReport report = new PurgeRun(rows, new PurgeConfig(MONTH, YEAR, 1_000)).run();

        assertThat(report).hasToString("completed=2500 failed=3");
        assertThat(rows.calls)
                .containsExactly(
                        "COMPLETED PT720H 1000",
                        "COMPLETED PT720H 1000",
                        "COMPLETED PT720H 1000",
                        "COMPLETED PT720H 1000",
                        "FAILED PT8760H 1000",
                        "FAILED PT8760H 1000");
    }

    @Test
    void leavesWhatIsKeptForEver() {
        rows.left.put(OutboxStatus.COMPLETED, 5);
        rows.left.put(OutboxStatus.FAILED, 5);

        assertThat(new PurgeRun(rows, new PurgeConfig(null, MONTH, 10)).run()).hasToString("completed=0 failed=5");
        assertThat(rows.left).containsEntry(OutboxStatus.COMPLETED, 5);
    }

    @Test
    void stopsAfterTheTransactionThatIsGoing() {
        rows.left.put(OutboxStatus.COMPLETED, 100);
        rows.left.put(OutboxStatus.FAILED, 100);
        PurgeRun run = new PurgeRun(rows, new PurgeConfig(MONTH, MONTH, 10));
        rows.after = run::stop;

        assertThat(run.run()).hasToString("completed=10 failed=0");
    }

    /** So many rows that are old enough. */
    private static final class Rows implements OutboxPurge {
        final Map<OutboxStatus, Integer> left = new EnumMap<>(OutboxStatus.class);
        final List<String> calls = new ArrayList<>();
        Runnable after = () -> {};

        @Override
        public boolean isDue(OutboxStatus status, Duration olderThan) {
            return left.getOrDefault(status, 0) > 0;
        }

        @Override
        public int purge(OutboxStatus status, Duration olderThan, int limit) {
            calls.add(status + " " + olderThan + " " + limit);
            int removed = Math.min(limit, left.getOrDefault(status, 0));
            left.merge(status, -removed, Integer::sum);
            after.run();
            return removed;
        }
    }
}
