package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationControl;
import io.turnframe.outbox.store.DestinationControls;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** What operators said about destinations, as this node last read it. */
@ApplicationScoped
public class Controls {
    private static final Logger LOG = Logger.getLogger(Controls.class.getName());

    /** A run that claims reads it again when it is older than this. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    @EJB
    private DestinationControls store;

    private final AtomicLong changes = new AtomicLong();

    private final Object reading = new Object();
    private volatile Said said = Said.NOTHING;
    private long readAt = System.nanoTime() - FRESH.toNanos();
    private long changesAtRead;

    /** For the proxy of the container. */
    Controls() {}

    Controls(DestinationControls store) {
        this.store = store;
    }

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

    /** At most a second old, and no older than what was said last on this node. */
    Said fresh() {
        synchronized (reading) {
            // Counted before it is read: what is said meanwhile has the next look read anew.
            long counted = changes.get();
            long now = System.nanoTime();
            if (counted != changesAtRead || now - readAt >= FRESH.toNanos()) {
                said = Said.of(store.all());
                readAt = now;
                changesAtRead = counted;
            }
            return said;
        }
    }

    /** The same, or what was read last if the database does not answer. */
    Said freshOrKnown() {
        try {
            return fresh();
        } catch (RuntimeException unavailable) {
            LOG.log(Level.FINE, "what was said of destinations cannot be read; going by what is known", unavailable);
            return said;
        }
    }

    /** For an idle tick, which costs one statement: read anew only while there is something to take back. */
    Said forTick() {
        return Said.NOTHING.equals(said) ? said : fresh();
    }

    /** As last read. */
    Said known() {
        return said;
    }

    /** Lets the next look read anew: something was said on this node, and is committed. */
    public void changed() {
        changes.incrementAndGet();
    }
}
