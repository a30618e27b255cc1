package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.store.DestinationControl;
import io.turnframe.outbox.store.DestinationControls;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlsTest {
    private static final DestinationControl HOLD =
            new DestinationControl(DestinationControl.EVERYTHING, true, null, null, null, "ann", null);

    private List<DestinationControl> stored = List.of();
    private Runnable whileReading = () -> {};
    private int reads;

    private final Controls controls = new Controls(new DestinationControls() {
        @Override
        public List<DestinationControl> all() {
            reads++;
            List<DestinationControl> read = stored;
            whileReading.run();
            return read;
        }

        @Override
        public DestinationControl put(DestinationControl wanted) {
            throw new UnsupportedOperationException();
        }
    });

    @Test
    void readsAnewAsSoonAsSomethingWasSaid() {
        assertThat(controls.fresh().everythingHeld()).isFalse();
        say();
        assertThat(controls.fresh().everythingHeld()).isTrue();
    }

    /** The read began before the hold was committed, and ends after. */
    @Test
    void doesNotTakeForFreshWhatWasReadWhileSomethingWasSaid() {
        whileReading = this::say;
        assertThat(controls.fresh().everythingHeld()).isFalse();
        assertThat(controls.fresh().everythingHeld()).isTrue();
    }

    @Test
    void readsOnceASecondAtMostWhileNothingIsSaid() {
        for (int i = 0; i < 100; i++) {
            controls.fresh();
        }
        assertThat(reads).isLessThan(10);
    }

    @Test
    void costsAnIdleTickNothingUnlessSomethingWasSaid() {
        controls.forTick();
        assertThat(reads).isZero();
        say();
        controls.fresh();
        assertThat(controls.forTick().everythingHeld()).isTrue();
    }

    @Test
    void goesByWhatIsKnownWhileTheDatabaseIsAway() {
        say();
        controls.fresh();
        controls.changed();
        whileReading = () -> {
            throw new IllegalStateException("down");
        };
        assertThat(controls.freshOrKnown().everythingHeld()).isTrue();
    }

    private void say() {
        whileReading = () -> {};
        stored = List.of(HOLD);
        controls.changed();
    }
}
