package io.turnframe.outbox.it.store;

import io.turnframe.outbox.store.DispatchStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** An empty model, and a clock for it that no two calls read alike. */
final class ModelFixture implements StoreFixture {
    private final DispatchModel model = new DispatchModel(new Ticks());

    @Override
    public DispatchStore store() {
        return model;
    }

    @Override
    public void inTransaction(Runnable work) {
        model.inTransaction(work);
    }

    @Override
    public Object stored(UUID id) {
        return model.stored(id);
    }

    DispatchModel model() {
        return model;
    }

    /** The system's time to the microsecond; always later than before, as two transactions of a database are. */
    private static final class Ticks extends Clock {
        private Instant last = Instant.MIN;

        @Override
        public Instant instant() {
            Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
            last = now.isAfter(last) ? now : last.plus(1, ChronoUnit.MICROS);
            return last;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
