package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.DestinationScope;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which destinations rows can be claimed of now: not those that are held, without a sender, failing, or with as many sends
 * out as they may have.
 */
final class Openings {
    /** So many open destinations are claimed from one by one; the rows of closed ones are then not even walked past. */
    static final int FEW = 16;

    private final Senders senders;
    private final SendSlots slots;
    private final Breakers breakers;
    private final int concurrency;

    /** @param concurrency sends in flight on this node */
    Openings(Senders senders, SendSlots slots, Breakers breakers, int concurrency) {
        this.senders = senders;
        this.slots = slots;
        this.breakers = breakers;
        this.concurrency = concurrency;
    }

    /** Sends in flight to the destination on this node at most. */
    private int cap(String destination) {
        return senders.concurrency(destination, concurrency);
    }

    /** Takes a slot for the send, if its destination and this node have one; to be {@linkplain RunParts#free freed}. */
    boolean tryTake(Send send) {
        String destination = send.entry().destination();
        if (!breakers.admit(send)) {
            return false;
        }
        if (slots.tryTake(destination, concurrency, cap(destination))) {
            return true;
        }
        breakers.withdraw(send);
        return false;
    }

    /**
     * Whether the destination has as many sends out as it may have. One that is tried may have its probe out besides those
     * that were out before: they may never come back.
     */
    boolean isCapped(String destination) {
        return breakers.isProbed(destination) || slots.taken(destination) >= cap(destination);
    }

    /** The destinations that have as many sends out as they may have. */
    Set<String> capped() {
        return slots.destinations().stream().filter(this::isCapped).collect(Collectors.toSet());
    }

    private Set<String> closed(Controls.Said said) {
        Set<String> closed = capped();
        closed.addAll(senders.unroutable());
        closed.addAll(said.held());
        closed.addAll(breakers.open());
        return closed;
    }

    /** Those whose claims are counted over all nodes, each claimed from by itself. */
    Set<String> limited(Controls.Said said) {
        Set<String> limited = new HashSet<>(said.limited());
        limited.removeAll(closed(said));
        return limited;
    }

    /** Those of which one row is claimed, to try with. */
    Set<String> probing(Controls.Said said) {
        Set<String> probing = new HashSet<>(breakers.probing());
        probing.removeAll(closed(said));
        return probing;
    }

    /** The others; empty if there are none. */
    Optional<DestinationScope> others(Controls.Said said) {
        Set<String> apart = closed(said);
        apart.addAll(said.limited());
        apart.addAll(breakers.probing());
        return except(apart);
    }

    /** All of them: what a run would find rows of; empty if there are none. */
    Optional<DestinationScope> all(Controls.Said said) {
        Set<String> named = limited(said);
        named.addAll(probing(said));
        Optional<DestinationScope> others = others(said);
        if (named.isEmpty()) {
            return others;
        }
        if (others.isPresent() && others.get().exclusive()) {
            return Optional.of(DestinationScope.except(closed(said)));
        }
        others.ifPresent(scope -> named.addAll(scope.destinations()));
        return Optional.of(DestinationScope.only(named));
    }

    /** All but these; empty if nothing is left. */
    private Optional<DestinationScope> except(Set<String> closed) {
        if (closed.isEmpty()) {
            return Optional.of(DestinationScope.ALL);
        }
        Set<String> open = new HashSet<>(senders.configured());
        open.removeAll(closed);
        if (open.size() > FEW) {
            return Optional.of(DestinationScope.except(closed));
        }
        return open.isEmpty() ? Optional.empty() : Optional.of(DestinationScope.only(open));
    }
}
