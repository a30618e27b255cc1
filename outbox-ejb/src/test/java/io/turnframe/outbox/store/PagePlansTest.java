package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How PostgreSQL finds the pages of a large table: by an index, whatever is filtered by. */
class PagePlansTest {
    /** Far more than one page looks at. */
    private static final int COMPLETED = 60_000;

    private static final int OTHERS = 2_000;

    @Test
    void scansTheTableForNoFilter() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase()) {
            database.fillCompleted(COMPLETED);
            database.fillDelayed(OTHERS);
            database.fillReady(OTHERS, "1 s");
            database.execute("UPDATE tf_outbox SET status = 'failed', last_failure = 'code-' || attempt_count"
                    + " WHERE status = 'completed' AND random() < 0.05");
            database.execute("VACUUM ANALYZE tf_outbox");
            FiguresStages stages = new FiguresStages(database.explaining());
            Instant now = stages.read.now().truncatedTo(ChronoUnit.MICROS);
            OutboxPosition middle = new OutboxPosition(now.minus(3, ChronoUnit.DAYS), new UUID(1, 1));
            List<OutboxFilter> filters = filters(now);

            List<String> plans = database.plans(() -> {
                for (OutboxFilter filter : filters) {
                    stages.page(filter, null);
                    stages.page(filter, middle);
                }
                return null;
            });

            assertThat(filters).hasSize(768);
            assertThat(plans).hasSizeGreaterThanOrEqualTo(2 * filters.size());
            assertThat(plans).noneMatch(plan -> plan.contains("Seq Scan"));
        }
    }

    /** Every combination of present and absent. */
    private static List<OutboxFilter> filters(Instant now) {
        OutboxFilter.Range lastDays = new OutboxFilter.Range(now.minus(5, ChronoUnit.DAYS), now);
        List<OutboxFilter> filters = new ArrayList<>();
        List<OutboxStatus> statuses = new ArrayList<>(Arrays.asList(OutboxStatus.values()));
        statuses.add(null);
        for (OutboxStatus status : statuses) {
            for (int given = 0; given < 1 << 7; given++) {
                filters.add(new OutboxFilter(
                        status,
                        (given & 1) == 0 ? null : "destination-1",
                        (given & 2) == 0 ? null : new UUID(1, 1),
                        (given & 4) == 0 ? null : "code-1",
                        (given & 8) == 0 ? null : lastDays,
                        (given & 16) == 0 ? null : lastDays,
                        (given & 32) == 0 ? null : "c77",
                        (given & 64) == 0 ? null : "c7"));
            }
        }
        return filters;
    }
}
