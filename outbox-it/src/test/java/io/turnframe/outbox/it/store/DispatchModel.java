package io.turnframe.outbox.it.store;

import com.github.f4b6a3.uuid.util.UuidComparator;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.JsonText;
import io.turnframe.outbox.store.LimitedClaim;
import io.turnframe.outbox.store.QueueState;
import io.turnframe.outbox.store.Released;
import io.turnframe.outbox.store.Settlement;
import io.turnframe.outbox.testing.InMemoryOutboxStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What the dispatcher's calls do, over the model of the contract: beside each record the fence, the mark, the budget and
 * the promotion, which the contract does not show. One thread at a time.
 */
final class DispatchModel implements DispatchStore {
    /** Claims that may be abandoned after a possible send before a row is set aside. */
    private static final int MAX_ABANDONED = 3;

    private final Clock clock;
    private final InMemoryOutboxStore records;
    private Map<UUID, Kept> kept = new HashMap<>();

    /** What is kept beside a record; all absent, false or 0 in a new row. */
    private record Kept(UUID token, boolean marked, boolean unmarked, int forgiven, int abandoned, Instant promotedAt) {
        static final Kept NEW = new Kept(null, false, false, 0, 0, null);

        /** @param sendsUnmarked whether the destination deduplicates now */
        Kept claimed(UUID by, boolean sendsUnmarked) {
            return new Kept(by, false, sendsUnmarked, forgiven, abandoned, promotedAt);
        }

        Kept withMark() {
            return new Kept(token, true, unmarked, forgiven, abandoned, promotedAt);
        }

        /** Out of the hands of its claim, which may still be named by a repeat. */
        Kept settled() {
            return new Kept(token, false, unmarked, forgiven, abandoned, promotedAt);
        }

        Kept givenBack() {
            return new Kept(token, false, unmarked, forgiven + 1, abandoned, promotedAt);
        }

        Kept requeued() {
            return new Kept(null, false, unmarked, forgiven, abandoned, null);
        }

        Kept released(boolean maySent, boolean requeued) {
            return new Kept(
                    null, false, unmarked, forgiven + 1, abandoned + (maySent ? 1 : 0), requeued ? null : promotedAt);
        }

        Kept promoted(Instant at) {
            return new Kept(token, marked, unmarked, forgiven, abandoned, at);
        }
    }

    /** @param clock stands for the database's; each reading must be later than the one before */
    DispatchModel(Clock clock) {
        this.clock = clock;
        records = InMemoryOutboxStore.builder()
                .clock(clock)
                .payloadCheck(payload -> JsonText.check("payload", payload))
                .transactionRequired()
                .build();
    }

    /** Does {@code work}, and undoes it all if it throws. */
    void inTransaction(Runnable work) {
        Map<UUID, Kept> before = new HashMap<>(kept);
        boolean done = false;
        try {
            records.inTransaction(work);
            done = true;
        } finally {
            if (!done) {
                kept = before;
            }
        }
    }

    /** All that is kept about a row; null if there is none. */
    Object stored(UUID id) {
        return all().stream()
                .filter(row -> row.entry().outboxId().equals(id))
                .findFirst()
                .map(row -> (Object) List.of(row, keptOf(id)))
                .orElse(null);
    }

    /** Every record, oldest first. */
    List<OutboxRecord> all() {
        return records.records();
    }

    /** As somebody does by hand who wants a row to have all its attempts again. */
    void setAttemptCount(UUID id, int count) {
        OutboxRecord row = get(id);
        records.put(new OutboxRecord(
                row.entry().toBuilder().attemptCount(count).build(), row.claim(), row.lastFailure(), row.remoteRef()));
    }

    /** Under which claim call the row is or was last held; null for none. */
    UUID token(UUID id) {
        return keptOf(id).token;
    }

    // enqueue and read

    @Override
    public void enqueue(OutboxEntry entry) {
        records.enqueue(entry);
    }

    @Override
    public void enqueueAll(List<OutboxEntry> entries) {
        records.enqueueAll(entries);
    }

    @Override
    public void enqueueAlone(OutboxEntry entry) {
        records.enqueue(entry);
    }

    @Override
    public OutboxRecord get(UUID outboxId) {
        return records.get(outboxId);
    }

    @Override
    public List<OutboxRecord> listForCommand(UUID commandId) {
        return records.listForCommand(commandId);
    }

    @Override
    public QueueState queueState(DestinationScope scope) {
        Instant now = clock.instant();
        List<OutboxRecord> waiting = all().stream()
                .filter(row -> row.entry().status() == OutboxStatus.PENDING)
                .filter(row -> scope.destinations().contains(row.entry().destination()) != scope.exclusive())
                .toList();
        Instant nextDue = waiting.stream()
                .filter(row -> !isReady(row))
                .map(row -> row.entry().nextAttemptAt())
                .min(Instant::compareTo)
                .orElse(null);
        Instant oldestClaim = all().stream()
                .filter(row -> row.claim() != null)
                .map(row -> row.claim().claimedAt())
                .min(Instant::compareTo)
                .orElse(null);
        return new QueueState(
                waiting.stream().anyMatch(row -> isReady(row) && isDue(row, now))
                        || nextDue != null && !nextDue.isAfter(now),
                nextDue == null ? null : Duration.between(now, nextDue),
                oldestClaim == null ? null : Duration.between(oldestClaim, now));
    }

    // promote and claim

    @Override
    public int promoteDue(int limit) {
        EntryRules.limit(limit);
        return promote(clock.instant(), limit);
    }

    private int promote(Instant now, int limit) {
        List<UUID> delayed = all().stream()
                .filter(row -> isDue(row, now) && !isReady(row))
                .limit(limit)
                .map(row -> row.entry().outboxId())
                .toList();
        delayed.forEach(id -> keep(id, keptOf(id).promoted(now)));
        return delayed.size();
    }

    private static boolean isDue(OutboxRecord row, Instant now) {
        Instant nextAttemptAt = row.entry().nextAttemptAt();
        return row.entry().status() == OutboxStatus.PENDING && (nextAttemptAt == null || !nextAttemptAt.isAfter(now));
    }

    private boolean isReady(OutboxRecord row) {
        Instant nextAttemptAt = row.entry().nextAttemptAt();
        Instant promotedAt = keptOf(row.entry().outboxId()).promotedAt;
        return nextAttemptAt == null || promotedAt != null && !promotedAt.isBefore(nextAttemptAt);
    }

    @Override
    public List<ClaimedEntry> claim(ClaimRequest request) {
        Instant now = clock.instant();
        OutboxClaim claim = new OutboxClaim(request.workerId(), now);
        List<ClaimedEntry> claimed = new ArrayList<>();
        for (OutboxRecord row : together(request, now)) {
            int attempts = row.entry().attemptCount() + 1;
            Kept held = keptOf(row.entry().outboxId())
                    .claimed(
                            request.token(),
                            request.deduplicating().contains(row.entry().destination()));
            OutboxRecord taken = change(
                    row,
                    entry -> entry.status(OutboxStatus.DISPATCHING).attemptCount(attempts),
                    claim,
                    row.lastFailure(),
                    row.remoteRef(),
                    held);
            claimed.add(new ClaimedEntry(taken.entry(), attempts - held.forgiven, held.abandoned));
        }
        return claimed;
    }

    /** Limits are no part of the model; no sequence sets any. */
    @Override
    public LimitedClaim claimLimited(ClaimRequest request) {
        throw new UnsupportedOperationException();
    }

    /** The rows of one claim: in order, bounded in rows and bytes, and one that was abandoned before by itself. */
    private List<OutboxRecord> together(ClaimRequest request, Instant now) {
        List<OutboxRecord> together = new ArrayList<>();
        long bytes = 0;
        for (OutboxRecord row : all()) {
            if (!isDue(row, now)
                    || !isReady(row)
                    || request.excluded().contains(row.entry().destination())) {
                continue;
            }
            boolean suspect = keptOf(row.entry().outboxId()).abandoned > 0;
            bytes += row.entry().payload().length();
            if (together.size() == request.limit() || !together.isEmpty() && (suspect || bytes > request.maxBytes())) {
                break;
            }
            together.add(row);
            if (suspect) {
                break;
            }
        }
        return together;
    }

    @Override
    public List<OutboxEntry> claimDue(Instant now, int limit, String workerId) {
        Instant at = EntryRules.instant("now", now);
        ClaimRequest request = new ClaimRequest(limit, Long.MAX_VALUE, workerId, UUID.randomUUID(), Set.of(), Set.of());
        promote(at, Integer.MAX_VALUE);
        int together = together(request, at).size();
        if (together == 0) {
            return List.of();
        }
        List<OutboxEntry> claimed = records.claimDue(at, together, workerId);
        claimed.forEach(entry -> keep(entry.outboxId(), keptOf(entry.outboxId()).claimed(request.token(), false)));
        return claimed;
    }

    // for the holder of the claim

    @Override
    public Set<UUID> markSendStarted(UUID token, Collection<UUID> ids) {
        return forHolder(token, ids, OutboxStatus.DISPATCHING, row -> {
            UUID id = row.entry().outboxId();
            keep(id, keptOf(id).withMark());
        });
    }

    /** The journal is no part of the model. */
    @Override
    public Set<UUID> settle(Map<UUID, List<Settlement>> settlements, List<Attempt> attempts) {
        Instant now = clock.instant();
        Set<UUID> refused = new HashSet<>();
        settlements.forEach((token, ofClaim) -> {
            for (Settlement settlement : ofClaim) {
                refused.addAll(forHolder(
                        token,
                        List.of(settlement.outboxId()),
                        settlement.status(),
                        row -> settle(row, settlement, now)));
            }
        });
        return refused;
    }

    @Override
    public boolean lockClaimed(UUID token, UUID outboxId) {
        OutboxRecord row = find(outboxId);
        return row != null && row.entry().status() == OutboxStatus.DISPATCHING && token.equals(keptOf(outboxId).token);
    }

    @Override
    public boolean settleHere(UUID token, Settlement settlement, Attempt attempt) {
        return settle(Map.of(token, List.of(settlement)), List.of()).isEmpty();
    }

    @Override
    public boolean settleLate(UUID token, Attempt attempt, boolean journalled) {
        Instant now = clock.instant();
        OutboxRecord row = find(attempt.outboxId());
        if (row == null
                || attempt.outcome() != Dispatched.Kind.COMPLETED
                || row.entry().attemptCount() != attempt.number()
                || row.entry().status().isTerminal()
                || !mayComplete(row, token)) {
            return false;
        }
        change(
                row,
                entry -> entry.status(OutboxStatus.COMPLETED).completedAt(now),
                null,
                row.lastFailure(),
                attempt.remoteRef() != null ? attempt.remoteRef() : row.remoteRef(),
                keptOf(row.entry().outboxId()).settled());
        return true;
    }

    /** Under its own token always; else only if no claim holds it, or has left its token. */
    private boolean mayComplete(OutboxRecord row, UUID token) {
        UUID holder = keptOf(row.entry().outboxId()).token;
        return token.equals(holder) || holder == null && row.entry().status() != OutboxStatus.DISPATCHING;
    }

    private void settle(OutboxRecord row, Settlement settlement, Instant now) {
        change(
                row,
                entry -> {
                    if (settlement.status() == OutboxStatus.PENDING) {
                        entry.nextAttemptAt(later(now, settlement.retryAfter()));
                    }
                    return entry.status(settlement.status())
                            .completedAt(settlement.status().isTerminal() ? now : null);
                },
                null,
                settlement.code() != null ? settlement.code() : row.lastFailure(),
                settlement.remoteRef() != null ? settlement.remoteRef() : row.remoteRef(),
                keptOf(row.entry().outboxId()).settled());
    }

    /** As late as an instant can be, where the delay leads beyond it. */
    private static Instant later(Instant now, Duration delay) {
        Instant later = now.plus(delay);
        return later.isAfter(OutboxEntry.MAX_INSTANT) ? OutboxEntry.MAX_INSTANT : later;
    }

    @Override
    public Set<UUID> giveBack(UUID token, Collection<UUID> ids) {
        return forHolder(
                token,
                ids,
                OutboxStatus.PENDING,
                row -> change(
                        row,
                        entry -> entry.status(OutboxStatus.PENDING),
                        null,
                        row.lastFailure(),
                        row.remoteRef(),
                        keptOf(row.entry().outboxId()).givenBack()));
    }

    /** Changes the rows that are held under the token; answers those that neither are nor were brought to {@code end} by it. */
    private Set<UUID> forHolder(UUID token, Collection<UUID> ids, OutboxStatus end, Consumer<OutboxRecord> change) {
        Set<UUID> refused = new HashSet<>();
        for (UUID id : ids) {
            OutboxRecord row = find(id);
            boolean ours = row != null && token.equals(keptOf(id).token);
            if (ours && row.entry().status() == OutboxStatus.DISPATCHING) {
                change.accept(row);
            } else if (!ours || row.entry().status() != end) {
                refused.add(id);
            }
        }
        return refused;
    }

    // verdicts

    @Override
    public void markCompleted(UUID outboxId) {
        records.markCompleted(outboxId);
        keep(outboxId, keptOf(outboxId).settled());
    }

    @Override
    public void markFailed(UUID outboxId, String reason, Instant retryAt) {
        records.markFailed(outboxId, reason, retryAt);
        Kept before = keptOf(outboxId);
        keep(outboxId, retryAt == null ? before.settled() : before.requeued());
    }

    @Override
    public void markOutcomeUnknown(UUID outboxId, String remoteRef) {
        records.markOutcomeUnknown(outboxId, remoteRef);
        keep(outboxId, keptOf(outboxId).settled());
    }

    @Override
    public void reschedule(UUID outboxId, Instant nextAttemptAt) {
        records.reschedule(outboxId, nextAttemptAt);
        keep(outboxId, keptOf(outboxId).requeued());
    }

    // release

    @Override
    public List<UUID> releaseExpiredClaims(Instant claimedBefore) {
        List<OutboxRecord> before = all();
        List<UUID> released = records.releaseExpiredClaims(claimedBefore);
        before.stream()
                .filter(row -> released.contains(row.entry().outboxId()))
                .forEach(row -> release(row, false, new ArrayList<>(), new ArrayList<>()));
        return released;
    }

    @Override
    public Released releaseAbandoned(Duration age, Set<String> deduplicating) {
        return release(expired(age), deduplicating);
    }

    @Override
    public Released releaseAbandoned(Duration age, Set<String> deduplicating, UUID outboxId) {
        Map<UUID, OutboxRecord> expired = expired(age);
        expired.keySet().retainAll(Set.of(outboxId));
        return release(expired, deduplicating);
    }

    @Override
    public List<UUID> abandoned(Duration age, int limit) {
        return expired(age).values().stream()
                .sorted(Comparator.comparing(row -> row.claim().claimedAt()))
                .map(row -> row.entry().outboxId())
                .limit(limit)
                .toList();
    }

    private Map<UUID, OutboxRecord> expired(Duration age) {
        Instant before = clock.instant().minus(age);
        Map<UUID, OutboxRecord> expired = new TreeMap<>(UuidComparator.getOpaqueInstance());
        all().stream()
                .filter(row -> row.claim() != null && row.claim().claimedAt().isBefore(before))
                .forEach(row -> expired.put(row.entry().outboxId(), row));
        return expired;
    }

    private Released release(Map<UUID, OutboxRecord> expired, Set<String> deduplicating) {
        List<UUID> pending = new ArrayList<>();
        List<UUID> unknown = new ArrayList<>();
        expired.values()
                .forEach(row -> release(row, deduplicating.contains(row.entry().destination()), pending, unknown));
        return new Released(pending, unknown);
    }

    private void release(OutboxRecord row, boolean deduplicated, List<UUID> pending, List<UUID> unknown) {
        UUID id = row.entry().outboxId();
        Kept before = keptOf(id);
        boolean maySent = before.marked || before.unmarked;
        boolean mayRepeat = !before.marked && deduplicated && before.abandoned + 1 < MAX_ABANDONED;
        boolean setAside = maySent && !mayRepeat;
        (setAside ? unknown : pending).add(id);
        change(
                row,
                entry -> setAside
                        ? entry.status(OutboxStatus.OUTCOME_UNKNOWN)
                        : entry.status(OutboxStatus.PENDING).nextAttemptAt(null),
                null,
                row.lastFailure(),
                row.remoteRef(),
                before.released(maySent, !setAside));
    }

    // rows

    private OutboxRecord find(UUID id) {
        return all().stream()
                .filter(row -> row.entry().outboxId().equals(id))
                .findFirst()
                .orElse(null);
    }

    private Kept keptOf(UUID id) {
        return kept.getOrDefault(id, Kept.NEW);
    }

    private void keep(UUID id, Kept now) {
        kept.put(id, now);
    }

    private OutboxRecord change(
            OutboxRecord row,
            UnaryOperator<OutboxEntry.Builder> changes,
            OutboxClaim claim,
            String lastFailure,
            String remoteRef,
            Kept now) {
        OutboxRecord changed =
                new OutboxRecord(changes.apply(row.entry().toBuilder()).build(), claim, lastFailure, remoteRef);
        records.put(changed);
        keep(row.entry().outboxId(), now);
        return changed;
    }
}
