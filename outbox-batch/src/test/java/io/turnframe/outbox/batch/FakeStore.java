package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.LimitedClaim;
import io.turnframe.outbox.store.QueueState;
import io.turnframe.outbox.store.Released;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A queue in memory that records what the run does with it, and fails when told to. */
final class FakeStore implements DispatchStore {
    /** How long it takes until a limit has room again. */
    static final Duration PERMIT = Duration.ofMillis(500);

    final List<ClaimedEntry> queue = new ArrayList<>();
    final Map<UUID, Settlement> settled = new ConcurrentHashMap<>();
    final Set<UUID> marked = new HashSet<>();
    final Map<String, Integer> permits = new ConcurrentHashMap<>();
    final List<UUID> givenBack = new ArrayList<>();
    final List<ClaimRequest> claims = new ArrayList<>();
    final List<Attempt> journal = Collections.synchronizedList(new ArrayList<>());
    final Set<UUID> lost = new HashSet<>();
    final Set<UUID> abandoned = new LinkedHashSet<>();
    final Set<UUID> unreleasable = new HashSet<>();
    final List<Integer> releases = new ArrayList<>();
    boolean isDown;
    int downAfterReleases = Integer.MAX_VALUE;
    int failuresOfBulkSettlement;
    UUID neverSettles;
    RuntimeException claimFailure;
    Runnable whenPromoting = () -> {};

    UUID add(String destination, int budgetUsed) {
        return add(destination, budgetUsed, 0);
    }

    UUID add(String destination, int budgetUsed, int abandonedCount) {
        OutboxEntry entry = OutboxEntry.pending(new UUID(1, 1), destination, "k" + queue.size(), "{}").toBuilder()
                .status(OutboxStatus.DISPATCHING)
                .attemptCount(budgetUsed)
                .build();
        synchronized (this) {
            queue.add(new ClaimedEntry(entry, budgetUsed, abandonedCount));
        }
        return entry.outboxId();
    }

    @Override
    public synchronized List<ClaimedEntry> claim(ClaimRequest request) {
        if (claimFailure != null) {
            throw claimFailure;
        }
        claims.add(request);
        List<ClaimedEntry> claimed = queue.stream()
                .filter(c -> !request.excluded().contains(c.entry().destination()))
                .filter(c -> request.only() == null
                        || request.only().equals(c.entry().destination()))
                .limit(request.limit())
                .toList();
        queue.removeAll(claimed);
        return claimed;
    }

    /** Says that it pays to try again for as long as {@link #permits} keep rows of it back. */
    @Override
    public synchronized LimitedClaim claimLimited(ClaimRequest request) {
        int allowed = Math.min(request.limit(), permits.getOrDefault(request.only(), 0));
        List<ClaimedEntry> claimed = allowed == 0 ? List.of() : claim(request.of(request.only(), allowed));
        permits.merge(request.only(), -claimed.size(), Integer::sum);
        boolean more = queue.stream().anyMatch(c -> c.entry().destination().equals(request.only()));
        return new LimitedClaim(claimed, more ? PERMIT : null);
    }

    @Override
    public synchronized Set<UUID> markSendStarted(UUID token, Collection<UUID> ids) {
        marked.addAll(ids);
        return lost;
    }

    @Override
    public synchronized Set<UUID> settle(UUID token, List<Settlement> settlements, List<Attempt> attempts) {
        journal.addAll(attempts);
        if (settlements.size() > 1 && failuresOfBulkSettlement-- > 0) {
            throw new IllegalStateException("database down");
        }
        if (settlements.stream().anyMatch(s -> s.outboxId().equals(neverSettles))) {
            throw new IllegalStateException("database down");
        }
        Set<UUID> refused = new HashSet<>();
        Map<UUID, Settlement> accepted = new LinkedHashMap<>();
        for (Settlement settlement : settlements) {
            if (lost.contains(settlement.outboxId())) {
                refused.add(settlement.outboxId());
            } else {
                accepted.put(settlement.outboxId(), settlement);
            }
        }
        settled.putAll(accepted);
        return refused;
    }

    @Override
    public boolean settleLate(UUID token, Attempt attempt, boolean journalled) {
        journal.add(attempt);
        return true;
    }

    @Override
    public synchronized Set<UUID> giveBack(UUID token, Collection<UUID> ids) {
        givenBack.addAll(ids);
        return Set.of();
    }

    @Override
    public int promoteDue(int limit) {
        whenPromoting.run();
        return 0;
    }

    @Override
    public void enqueueAll(List<OutboxEntry> entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueAlone(OutboxEntry entry) {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueueState queueState(DestinationScope scope) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized Released releaseAbandoned(Duration age, Set<String> deduplicating) {
        return release(abandoned.stream().limit(MAX_RELEASE).toList());
    }

    @Override
    public Released releaseAbandoned(Duration age, Set<String> deduplicating, UUID outboxId) {
        return release(List.of(outboxId));
    }

    /** All of them or none, as a transaction does. */
    private synchronized Released release(List<UUID> ids) {
        isDown |= releases.size() >= downAfterReleases;
        releases.add(ids.size());
        if (isDown || ids.stream().anyMatch(unreleasable::contains)) {
            throw new IllegalStateException("refused");
        }
        abandoned.removeAll(ids);
        return new Released(List.of(), ids);
    }

    @Override
    public synchronized List<UUID> abandoned(Duration age, int limit) {
        if (isDown) {
            throw new IllegalStateException("database down");
        }
        return abandoned.stream().limit(limit).toList();
    }

    @Override
    public OutboxRecord get(UUID outboxId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<OutboxRecord> listForCommand(UUID commandId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void enqueue(OutboxEntry entry) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<OutboxEntry> claimDue(Instant now, int limit, String workerId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void markCompleted(UUID outboxId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void markFailed(UUID outboxId, String reason, Instant retryAt) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void markOutcomeUnknown(UUID outboxId, String remoteRef) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reschedule(UUID outboxId, Instant nextAttemptAt) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<UUID> releaseExpiredClaims(Instant claimedBefore) {
        throw new UnsupportedOperationException();
    }
}
