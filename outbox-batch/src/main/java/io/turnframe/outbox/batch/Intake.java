package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What a run has claimed and not yet sent: when it claims more, which rows may be sent now, and what goes back unsent. */
final class Intake {
    private static final Logger LOG = Logger.getLogger(Intake.class.getName());

    /** What went back since it could not be sent is not claimed again at once. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final RunParts parts;
    private final DispatchConfig config;
    private final DispatchRun run;
    private final Consumer<List<Send>> unsettled;
    private final Openings openings;
    private final Claims claims;

    private final List<Send> claimed = new ArrayList<>();
    private RuntimeException failure;
    private boolean pausing;
    private long pauseEnd;

    /**
     * @param run the one that it takes in for
     * @param unsettled told which rows stay claimed though they will not be sent
     */
    Intake(RunParts parts, DispatchConfig config, DispatchRun run, Consumer<List<Send>> unsettled) {
        this.parts = parts;
        this.config = config;
        this.run = run;
        this.unsettled = unsettled;
        this.openings = new Openings(parts.senders(), parts.slots(), parts.breakers(), config.concurrency());
        this.claims = new Claims(parts, config, openings);
    }

    boolean isEmpty() {
        return claimed.isEmpty();
    }

    /** What a claim met, or null. After that nothing more is claimed. */
    RuntimeException failure() {
        return failure;
    }

    /** The queue may have filled since the last claim found nothing. */
    void lookAgain() {
        claims.lookAgain();
    }

    /** Rows were settled: a limit may have room again. */
    void settled() {
        if (claims.isWaiting()) {
            claims.lookAgain();
        }
    }

    /** Whether rows wait for nothing but the time: for a limit that holds over all nodes, or for the end of a pause. */
    boolean isWaiting() {
        return isPausing() || claims.isWaiting();
    }

    /** While it {@linkplain #isWaiting waits}: when a claim is tried again, by the ticker. */
    long againAt() {
        return isPausing() ? pauseEnd : claims.againAt();
    }

    /** Claims nothing for a moment: rows went back though nothing is wrong with their destination. */
    void pause() {
        pausing = true;
        pauseEnd = parts.now() + PAUSE;
        claims.lookAgain();
    }

    private boolean isPausing() {
        pausing = pausing && parts.now() - pauseEnd < 0;
        return pausing;
    }

    /** Claims, if there is room and hope; answers whether it got anything. */
    boolean claim() {
        if (parts.slots().total() >= config.concurrency() || failure != null || isPausing() || claims.isHopeless()) {
            return false;
        }
        makeRoom();
        if (claimed.size() >= config.batchSize() && waitingForNoCap() >= config.batchSize()
                || Claims.bytes(claimed) >= parts.claimBytes()) {
            return false;
        }
        List<Send> got = new ArrayList<>();
        try {
            claims.next(config.batchSize(), got);
        } catch (RuntimeException met) {
            failure = met;
        }
        if (got.size() >= config.batchSize()) {
            parts.siblings().moreIsDue(run);
        }
        return claimed.addAll(got);
    }

    /**
     * Rows of a destination at its cap of sends may wait for long, and must not keep those of others away: not by their
     * number, and where their bytes are all that a claim may take, they go back.
     */
    private void makeRoom() {
        if (Claims.bytes(claimed) < parts.claimBytes()) {
            return;
        }
        List<Send> waiting = claimed.stream().filter(this::isCapped).toList();
        claimed.removeAll(waiting);
        giveBack(waiting);
    }

    private long waitingForNoCap() {
        return claimed.stream().filter(send -> !isCapped(send)).count();
    }

    private boolean isCapped(Send send) {
        return openings.isCapped(send.entry().destination());
    }

    /**
     * Takes out the rows that may be sent now: slots free, lease long enough, neither held nor failing, start on record. A row that may have brought
     * down a node is out alone.
     *
     * @param out what is being sent
     */
    List<Send> sendable(Collection<Send> out) {
        List<Send> chosen = new ArrayList<>();
        List<Send> unsendable = new ArrayList<>();
        Controls.Said said =
                claimed.isEmpty() ? parts.controls().known() : parts.controls().freshOrKnown();
        boolean suspectOut = out.stream().anyMatch(Send::isSuspect);
        // One that waits goes next, or it would wait for ever behind those that come.
        boolean suspectWaits = claimed.stream().anyMatch(Send::isSuspect);
        boolean maySend = parts.siblings().maySend(run, out.size(), claimed.size(), suspectWaits || suspectOut);
        for (Iterator<Send> each = claimed.iterator(); each.hasNext(); ) {
            Send send = each.next();
            String destination = send.entry().destination();
            boolean itsTurn =
                    maySend && (suspectWaits ? send.isSuspect() && out.isEmpty() && chosen.isEmpty() : !suspectOut);
            boolean closed = said.isHeld(destination) || parts.breakers().isOpen(destination);
            if (closed || !send.leaseCovers(parts.now())) {
                each.remove();
                unsendable.add(send);
            } else if (itsTurn && openings.tryTake(send)) {
                each.remove();
                send.sender(parts.senders().find(destination).orElse(null));
                if (send.sender() == null) {
                    parts.free(send);
                    unsendable.add(send);
                } else {
                    chosen.add(send);
                }
            }
        }
        giveBack(unsendable);
        return covered(marked(chosen));
    }

    /** Those whose lease is still long enough: to put them on record may have taken its time. The others go back. */
    private List<Send> covered(List<Send> marked) {
        long now = parts.now();
        List<Send> late = marked.stream().filter(send -> !send.leaseCovers(now)).toList();
        late.forEach(parts::free);
        giveBack(late);
        return marked.stream().filter(send -> send.leaseCovers(now)).toList();
    }

    private List<Send> marked(List<Send> chosen) {
        List<Send> sendable = new ArrayList<>();
        for (List<Send> group : Send.byToken(chosen)) {
            Set<UUID> lost = mark(group);
            for (Send send : group) {
                if (lost.contains(send.id())) {
                    parts.free(send);
                } else {
                    sendable.add(send);
                }
            }
        }
        return sendable;
    }

    /** Puts the start of these sends on record where a crash must not lead to a second one; answers what is not ours. */
    private Set<UUID> mark(List<Send> group) {
        List<Send> once = group.stream()
                .filter(send -> !send.isJoint()
                        && !parts.senders().deduplicates(send.entry().destination()))
                .toList();
        if (once.isEmpty()) {
            return Set.of();
        }
        List<UUID> ids = once.stream().map(Send::id).toList();
        try {
            return parts.store().markSendStarted(group.get(0).token(), ids);
        } catch (RuntimeException met) {
            LOG.log(Level.WARNING, "sends could not be put on record; their rows are given back unsent", met);
            giveBack(once);
            pause();
            return Set.copyOf(ids);
        }
    }

    /** Gives back whatever is claimed and not taken out. */
    void giveBackAll() {
        giveBack(List.copyOf(claimed));
        claimed.clear();
    }

    /** Gives back what is not sent, row by row where another transaction holds one of the rows. */
    void giveBack(List<Send> sends) {
        for (List<Send> group : Send.byToken(sends)) {
            RuntimeException met = giveBackTogether(group);
            if (met != null && group.size() > 1) {
                LOG.log(Level.WARNING, group.size() + " unsent rows could not be given back; trying row by row", met);
                giveBackOneByOne(group);
            } else if (met != null) {
                staysClaimed(group, met);
            }
        }
    }

    private void giveBackOneByOne(List<Send> group) {
        for (int i = 0; i < group.size(); i++) {
            RuntimeException met = giveBackTogether(group.subList(i, i + 1));
            if (met != null && Settler.isUnavailable(met)) {
                // Each of the others would wait for the database as long.
                staysClaimed(group.subList(i, group.size()), met);
                return;
            }
            if (met != null) {
                staysClaimed(group.subList(i, i + 1), met);
            }
        }
    }

    /** Answers what it met, or null. */
    private RuntimeException giveBackTogether(List<Send> group) {
        try {
            parts.store()
                    .giveBack(group.get(0).token(), group.stream().map(Send::id).toList());
            return null;
        } catch (RuntimeException met) {
            return met;
        }
    }

    private void staysClaimed(List<Send> rows, RuntimeException met) {
        LOG.log(Level.WARNING, rows.size() + " unsent rows stay claimed until their claim expires", met);
        unsettled.accept(rows);
    }
}
