package io.turnframe.outbox.batch;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.store.DestinationControl;
import io.turnframe.outbox.store.DestinationControls;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The destinations as operators see and steer them. What is said here holds on all nodes within a tick, on this one at once. */
@ApplicationScoped
public class Destinations {
    @EJB
    private DestinationControls controls;

    @Inject
    private DispatchSettings settings;

    @Inject
    private Senders senders;

    @Inject
    private SendSlots slots;

    @Inject
    private Breakers breakers;

    @Inject
    private Controls known;

    @Inject
    private WakeUp wakeUp;

    /** Those that are configured here and those that somebody said something about, by name; not the hold of everything. */
    public List<DestinationState> all() {
        Map<String, DestinationControl> byName = new TreeMap<>();
        settings.destinations().keySet().forEach(name -> byName.put(name, DestinationControl.none(name)));
        controls.all().forEach(control -> byName.put(control.destination(), control));
        byName.remove(DestinationControl.EVERYTHING);
        return byName.values().stream().map(this::state).toList();
    }

    /** The hold of everything. */
    public DestinationControl everything() {
        return controls.all().stream()
                .filter(control -> DestinationControl.EVERYTHING.equals(control.destination()))
                .findFirst()
                .orElse(DestinationControl.none(DestinationControl.EVERYTHING));
    }

    /**
     * Holds, limits, or lets go: replaces what was said before.
     *
     * @param wanted its {@code changedBy} says who
     * @throws InvalidRecordException naming what cannot be meant
     */
    public DestinationState say(DestinationControl wanted) {
        DestinationControl stored = controls.put(wanted);
        known.changed();
        wakeUp.wake();
        return state(stored);
    }

    private DestinationState state(DestinationControl control) {
        String name = control.destination();
        return DestinationState.of(
                control,
                settings.destinations().get(name),
                senders.isRoutable(name),
                slots.taken(name),
                breakers.state(name).orElse(null));
    }
}
