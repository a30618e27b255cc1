package io.turnframe.outbox.batch;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
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
import java.util.concurrent.atomic.AtomicInteger;

/** A queue in memory that records what the run does with it, and fails when told to. */
final class FakeStore implements DispatchStore {
    /** How long it takes until a limit has room again. */
    static final Duration PERMIT = Duration.ofMillis(500);

    final List<ClaimedEntry> queue = new ArrayList<>();
    final Map<UUID, Settlement> settled = new ConcurrentHashMap<>();
    /** Settled in a transaction of the caller's that has not committed. */
    final Map<UUID, Settlement> uncommitted = new ConcurrentHashMap<>();

    final Set<UUID> marked = new HashSet<>();
    final Map<String, Integer> permits = new ConcurrentHashMap<>();
    final List<UUID> givenBack = new ArrayList<>();
    final List<ClaimedEntry> claimed = new ArrayList<>();
    final List<ClaimRequest> claims = new ArrayList<>();
    final Set<UUID> completedLate = ConcurrentHashMap.newKeySet();
    final List<Attempt> journal = Collections.synchronizedList(new ArrayList<>());
    /** Whose claim is lost. */
    final Set<UUID> lost = new HashSet<>();
    /** Which a late confirmation no longer completes. */
    final Set<UUID> claimedSince = new HashSet<>();

    final Set<UUID> abandoned = new LinkedHashSet<>();
    final Set<UUID> unreleasable = new HashSet<>();
    final List<Integer> releases = new ArrayList<>();
    int downAfterReleases = Integer.MAX_VALUE;
    int failuresOfBulkSettlement;
    int settlementCalls;
    UUID neverSettles;
    RuntimeException claimFailure;
    /** The destination whose claims alone fail. */
    String claimFails;

    Runnable whenPromoting = () -> {};
    Runnable whenLocking = () -> {};
    Runnable whenMarking = () -> {};
    Runnable whenGivingBack = () -> {};
    /** Which another transaction holds: whatever is asked of them fails, and what is asked of others with them. */
    final Set<UUID> held = new HashSet<>();
    /** Whether what is given back can be claimed again. */
    boolean returning;
    /** Which it refuses to change, by an error that could be anything. */
    final Set<UUID> refused = new HashSet<>();
    /** Whether nobody reaches the database. */
    volatile boolean isDown;
    /** What was asked of it while it was down. */
    final AtomicInteger askedWhileDown = new AtomicInteger();

    UUID add(String destination, int budgetUsed) {
        return add(destination, budgetUsed, 0);
    }

    UUID add(String destination, int budgetUsed, int abandonedCount) {
        return add(destination, "{}", budgetUsed, abandonedCount);
    }

    UUID add(String destination, String payload, int budgetUsed, int abandonedCount) {
        OutboxEntry entry = OutboxEntry.pending(new UUID(1, 1), destination, "k" + queue.size(), payload).toBuilder()
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
        if (request.only() != null && request.only().equals(claimFails)) {
            throw new IllegalStateException("database down");
        }
        claims.add(request);
        List<ClaimedEntry> got = queue.stream()
                .filter(c -> !request.excluded().contains(c.entry().destination()))
                .filter(c -> request.only() == null
                        || request.only().equals(c.entry().destination()))
                .limit(request.limit())
                .toList();
        queue.removeAll(got);
        claimed.addAll(got);
        return got;
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
        whenMarking.run();
        answers(ids);
        marked.addAll(ids);
        return lost;
    }

    @Override
    public synchronized Set<UUID> settle(Map<UUID, List<Settlement>> byToken, List<Attempt> attempts) {
        settlementCalls++;
        List<Settlement> settlements =
                byToken.values().stream().flatMap(List::stream).toList();
        answers(settlements.stream().map(Settlement::outboxId).toList());
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
    public boolean lockClaimed(UUID token, UUID outboxId) {
        whenLocking.run();
        synchronized (this) {
            answers(List.of(outboxId));
            return !lost.contains(outboxId);
        }
    }

    /** What a rollback takes back. */
    @Override
    public synchronized boolean settleHere(UUID token, Settlement settlement, Attempt attempt) {
        answers(List.of(settlement.outboxId()));
        uncommitted.put(settlement.outboxId(), settlement);
        return true;
    }

    @Override
    public synchronized boolean settleLate(UUID token, Attempt attempt, boolean journalled) {
        if (journalled) {
            journal.add(attempt);
        }
        boolean completes =
                attempt.outcome() == Dispatched.Kind.COMPLETED && !claimedSince.contains(attempt.outboxId());
        if (completes) {
            completedLate.add(attempt.outboxId());
        }
        return completes;
    }

    @Override
    public synchronized Set<UUID> giveBack(UUID token, Collection<UUID> ids) {
        whenGivingBack.run();
        answers(ids);
        givenBack.addAll(ids);
        if (returning) {
            queue.addAll(claimed.stream()
                    .filter(c -> ids.contains(c.entry().outboxId()))
                    .toList());
        }
        return Set.of();
    }

    private void answers(Collection<UUID> ids) {
        if (isDown) {
            askedWhileDown.incrementAndGet();
            throw new OutboxException(OutboxException.STORE_UNAVAILABLE, "database down", null);
        }
        if (ids.stream().anyMatch(refused::contains)) {
            throw new OutboxException(OutboxException.STORE_UNAVAILABLE, "refused", null);
        }
        if (ids.stream().anyMatch(held::contains)) {
            throw new OutboxException(OutboxException.STORE_BUSY, "held", null);
        }
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
