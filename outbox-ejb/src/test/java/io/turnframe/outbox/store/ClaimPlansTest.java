package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows of a held destination stand in nobody's way, also by the plans that PostgreSQL keeps for any destination. */
class ClaimPlansTest {
    private static final int HELD = 60_000;

    private static final int OTHERS = 2_000;

    @Test
    void findsTheRowsOfADestinationByItsIndexWhateverStandsInFront() throws Exception {
        try (FiguresDatabase database = new FiguresDatabase("plan_cache_mode", "force_generic_plan")) {
            database.fillHeld(HELD);
            database.fillReady(OTHERS, "100 ms");
            database.execute("VACUUM ANALYZE tf_outbox");
            FiguresStages stages = new FiguresStages(database.explaining());
            Instant now = stages.read.now();

            List<String> claim = database.plans(() -> stages.claim("destination-1", 100, now));
            List<String> tick = database.plans(
                    () -> stages.read.queueState(DestinationScope.only(Set.of("destination-1", "destination-2"))));

            assertThat(claim).anyMatch(plan -> plan.contains("using tf_outbox_ready_destination"));
            assertThat(tick).anyMatch(plan -> plan.contains("using tf_outbox_ready_destination"));
            assertThat(claim).noneMatch(plan -> plan.contains("using tf_outbox_ready on"));
            assertThat(tick).noneMatch(plan -> plan.contains("using tf_outbox_ready on"));
        }
    }
}
