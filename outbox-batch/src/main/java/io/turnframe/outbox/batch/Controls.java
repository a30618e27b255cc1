package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationControl;
import io.turnframe.outbox.store.DestinationControls;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What operators said about destinations, as this node last read it. */
@ApplicationScoped
public class Controls {
    /** A run that claims reads it again when it is older than this. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    @EJB
    private DestinationControls store;

    private volatile Said said = Said.NOTHING;
    private volatile long readAt = System.nanoTime() - FRESH.toNanos();

    /**
     * What was said.
     *
     * @param everythingHeld whether nothing may be claimed
     * @param held the destinations that are held each by itself
     * @param limited the destinations whose claims are counted over all nodes
     */
    record Said(boolean everythingHeld, Set<String> held, Set<String> limited) {
        static final Said NOTHING = new Said(false, Set.of(), Set.of());

        static Said of(List<DestinationControl> controls) {
            return new Said(
                    controls.stream().anyMatch(c -> c.held() && isEverything(c)),
                    controls.stream()
                            .filter(c -> c.held() && !isEverything(c))
                            .map(DestinationControl::destination)
                            .collect(Collectors.toUnmodifiableSet()),
                    controls.stream()
                            .filter(c -> !c.held() && c.isLimited())
                            .map(DestinationControl::destination)
                            .collect(Collectors.toUnmodifiableSet()));
        }

        private static boolean isEverything(DestinationControl control) {
            return DestinationControl.EVERYTHING.equals(control.destination());
        }

        boolean isHeld(String destination) {
            return everythingHeld || held.contains(destination);
        }
    }

    /** At most a second old. */
    Said fresh() {
        if (System.nanoTime() - readAt >= FRESH.toNanos()) {
            long now = System.nanoTime();
            said = Said.of(store.all());
            readAt = now;
        }
        return said;
    }

    /** For an idle tick, which costs one statement: read anew only while there is something to take back. */
    Said forTick() {
        return Said.NOTHING.equals(said) ? said : fresh();
    }

    /** As last read. */
    Said known() {
        return said;
    }

    /** Lets the next look read anew: something was said on this node. */
    public void changed() {
        readAt = System.nanoTime() - FRESH.toNanos();
    }
}
