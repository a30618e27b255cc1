package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.store.Act;
import io.turnframe.outbox.store.BulkAct;
import io.turnframe.outbox.store.BulkPlan;
import io.turnframe.outbox.store.BulkStep;
import io.turnframe.outbox.store.OutboxBulk;
import io.turnframe.outbox.store.OutboxFilter;
import io.turnframe.outbox.store.OutboxPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BulkRunTest {
    private static final Act ANN = Act.of("ann", null);
    private static final BulkAct RESUBMIT = new BulkAct(BulkAct.Kind.RESUBMIT, OutboxFilter.ALL, null, null);
    private static final int STEPS = 4;

    private final List<OutboxPosition> asked = new ArrayList<>();
    private Runnable beforeThird = () -> {};

    /** Each step does two and skips one. */
    private final OutboxBulk store = new OutboxBulk() {
        @Override
        public BulkPlan plan(BulkAct bulk) {
            throw new UnsupportedOperationException();
        }

        @Override
        public BulkStep step(BulkAct bulk, OutboxPosition after, String bulkId, Act act) {
            asked.add(after);
            if (asked.size() == 3) {
                beforeThird.run();
            }
            return new BulkStep(2, 1, asked.size() == STEPS ? null : position(asked.size()));
        }
    };

    private final BulkRun run = new BulkRun(store, RESUBMIT, 9, ANN);

    @Test
    void goesOnFromStepToStep() {
        assertThat(run.status()).isEqualTo(new BulkStatus(run.id(), "resubmit", "ann", "running", 9, 0, 0));
        run.run();
        assertThat(asked).containsExactly(null, position(1), position(2), position(3));
        assertThat(run.status()).isEqualTo(new BulkStatus(run.id(), "resubmit", "ann", "completed", 9, 8, 4));
    }

    @Test
    void doesNotCountAsRunningAfterAnError() {
        beforeThird = () -> {
            throw new NoClassDefFoundError("gone");
        };
        assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(run::run);
        assertThat(run.status()).isEqualTo(new BulkStatus(run.id(), "resubmit", "ann", "failed", 9, 4, 2));
    }

    @Test
    void endsBeforeTheNextStepWhenItIsStopped() {
        beforeThird = run::stop;
        run.run();
        assertThat(run.status()).isEqualTo(new BulkStatus(run.id(), "resubmit", "ann", "cancelled", 9, 6, 3));
    }

    @Test
    void keepsWhatWasDoneWhenAStepFails() {
        beforeThird = () -> {
            throw new IllegalStateException("database down");
        };
        run.run();
        assertThat(run.status()).isEqualTo(new BulkStatus(run.id(), "resubmit", "ann", "failed", 9, 4, 2));
        assertThat(run.isRunning()).isFalse();
    }

    private static OutboxPosition position(int step) {
        return new OutboxPosition(Instant.EPOCH, new UUID(0, step));
    }
}
