package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** What a run has claimed and not yet sent: when it claims more, which rows may be sent now, and what goes back unsent. */
final class Intake {
    private static final Logger LOG = Logger.getLogger(Intake.class.getName());

    private static final int PROMOTION = 1_000;

    /** Retries that have come due join the ready rows this often, also while those alone fill every claim. */
    private static final long PROMOTION_PACE = Duration.ofSeconds(1).toNanos();

    private final RunParts parts;
    private final DispatchConfig config;
    private final IntConsumer unsettled;
    private final long sendTimeout;

    private final List<Send> claimed = new ArrayList<>();
    private boolean drained;
    private Set<String> cappedAtClaim = Set.of();
    private RuntimeException failure;
    private long promotedAt;

    /** @param unsettled told how many rows stay claimed though they will not be sent */
    Intake(RunParts parts, DispatchConfig config, IntConsumer unsettled) {
        this.parts = parts;
        this.config = config;
        this.unsettled = unsettled;
        this.sendTimeout = config.sendTimeout().toNanos();
        this.promotedAt = parts.now();
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
        drained = false;
    }

    /** Claims, if there is room and hope; answers whether it got anything. */
    boolean claim() {
        boolean full = claimed.size() >= config.batchSize() || parts.slots().total() >= config.concurrency();
        boolean hopeless = drained && cappedAtClaim.stream().allMatch(this::isCapped);
        if (full || hopeless || failure != null) {
            return false;
        }
        cappedAtClaim =
                parts.slots().destinations().stream().filter(this::isCapped).collect(Collectors.toSet());
        Set<String> excluded = new HashSet<>(cappedAtClaim);
        excluded.addAll(parts.senders().unroutable());
        int wanted = config.batchSize();
        int got = 0;
        try {
            if (parts.now() - promotedAt >= PROMOTION_PACE) {
                promote();
            }
            got = claim(wanted, excluded);
            if (got < wanted && promote() > 0) {
                got += claim(wanted - got, excluded);
            }
        } catch (RuntimeException met) {
            failure = met;
        }
        // Fewer than wanted is not all: a claim is bounded in bytes, too, and takes a suspect alone.
        drained = got == 0;
        return got > 0;
    }

    private int promote() {
        promotedAt = parts.now();
        return parts.store().promoteDue(PROMOTION);
    }

    private int claim(int limit, Set<String> excluded) {
        UUID token = UUID.randomUUID();
        long leaseEnd = parts.now() + config.claimTimeout().toNanos();
        List<ClaimedEntry> entries = parts.store()
                .claim(new ClaimRequest(
                        limit,
                        parts.claimBytes(),
                        config.workerId(),
                        token,
                        excluded,
                        parts.senders().deduplicating()));
        entries.forEach(entry -> claimed.add(new Send(entry, token, leaseEnd)));
        return entries.size();
    }

    /** Whether the destination has as many sends out as it may have. */
    private boolean isCapped(String destination) {
        return parts.slots().taken(destination) >= cap(destination);
    }

    private int cap(String destination) {
        return parts.senders().concurrency(destination, config.concurrency());
    }

    /**
     * Takes out the rows that may be sent now: slots free, lease long enough, start on record. A row that may have brought
     * down a node is out alone.
     *
     * @param out what is being sent
     */
    List<Send> sendable(Collection<Send> out) {
        List<Send> chosen = new ArrayList<>();
        List<Send> unsendable = new ArrayList<>();
        boolean suspectOut = out.stream().anyMatch(Send::isSuspect);
        // One that waits goes next, or it would wait for ever behind those that come.
        boolean suspectWaits = claimed.stream().anyMatch(Send::isSuspect);
        for (Iterator<Send> each = claimed.iterator(); each.hasNext(); ) {
            Send send = each.next();
            String destination = send.entry().destination();
            boolean itsTurn = suspectWaits ? send.isSuspect() && out.isEmpty() && chosen.isEmpty() : !suspectOut;
            if (!send.leaseCovers(parts.now(), sendTimeout)) {
                each.remove();
                unsendable.add(send);
            } else if (itsTurn && parts.slots().tryTake(destination, config.concurrency(), cap(destination))) {
                each.remove();
                send.sender(parts.senders().find(destination).orElse(null));
                if (send.sender() == null) {
                    parts.slots().free(destination);
                    unsendable.add(send);
                } else {
                    chosen.add(send);
                }
            }
        }
        giveBack(unsendable);
        return marked(chosen);
    }

    private List<Send> marked(List<Send> chosen) {
        List<Send> sendable = new ArrayList<>();
        for (List<Send> group : Send.byToken(chosen)) {
            Set<UUID> lost = mark(group);
            for (Send send : group) {
                if (lost.contains(send.id())) {
                    parts.slots().free(send.entry().destination());
                } else {
                    sendable.add(send);
                }
            }
        }
        return sendable;
    }

    /** Puts the start of these sends on record where a crash must not lead to a second one; answers what is not ours. */
    private Set<UUID> mark(List<Send> group) {
        List<UUID> ids = group.stream()
                .filter(send -> !parts.senders().deduplicates(send.entry().destination()))
                .map(Send::id)
                .toList();
        if (ids.isEmpty()) {
            return Set.of();
        }
        try {
            return parts.store().markSendStarted(group.get(0).token(), ids);
        } catch (RuntimeException met) {
            LOG.log(Level.WARNING, "sends could not be put on record; their rows wait for the release", met);
            unsettled.accept(ids.size());
            return Set.copyOf(ids);
        }
    }

    /** Gives back whatever is claimed and not taken out. */
    void giveBackAll() {
        giveBack(List.copyOf(claimed));
        claimed.clear();
    }

    void giveBack(List<Send> sends) {
        for (List<Send> group : Send.byToken(sends)) {
            try {
                parts.store()
                        .giveBack(
                                group.get(0).token(),
                                group.stream().map(Send::id).toList());
            } catch (RuntimeException met) {
                LOG.log(Level.WARNING, group.size() + " unsent rows stay claimed until their claim expires", met);
            }
        }
    }
}
