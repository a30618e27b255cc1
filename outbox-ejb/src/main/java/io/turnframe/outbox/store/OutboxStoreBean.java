package io.turnframe.outbox.store;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxRecord;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Local;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Gives each stage its transaction. */
@Stateless
@Local(DispatchStore.class)
@Interceptors(StoreErrors.class)
public class OutboxStoreBean implements DispatchStore {
    private static final Object ENQUEUED = EntriesEnqueued.class;

    /** Rows of one promotion before a claim of the contract, which must see all that is due. */
    private static final int PROMOTION = 1_000;

    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Resource
    private TransactionSynchronizationRegistry transactions;

    @Inject
    private Event<EntriesEnqueued> enqueued;

    @Inject
    private StoreConfig config;

    @Inject
    private DatabaseClock clock;

    private EnqueueStage enqueue;
    private ReadStage read;
    private ClaimStage claim;
    private ControlStage limits;
    private SettleStage settle;
    private VerdictStage verdict;
    private JournalStage journal;
    private ReleaseStage release;

    @PostConstruct
    void build() {
        DataSource dataSource = config.dataSource();
        Database database = config.database();
        enqueue = new EnqueueStage(dataSource, database);
        read = new ReadStage(em, dataSource, database);
        claim = new ClaimStage(em, database);
        limits = new ControlStage(em, dataSource, database, claim);
        settle = new SettleStage(em, dataSource, database);
        journal = new JournalStage(dataSource, database);
        verdict = new VerdictStage(em, read, database);
        release = new ReleaseStage(em, database);
    }

    // enqueue

    @Override
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public void enqueue(OutboxEntry entry) {
        enqueueAll(List.of(EntryRules.present("entry", entry)));
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public void enqueueAll(List<OutboxEntry> entries) {
        EntryRules.present("entries", entries).forEach(this::check);
        if (transactions.getTransactionStatus() == Status.STATUS_NO_TRANSACTION) {
            throw new OutboxException(
                    OutboxException.TRANSACTION_REQUIRED,
                    "enqueue needs the transaction of the business change that causes the entry; call it from an EJB"
                            + " with a container-managed transaction, or begin one",
                    null);
        }
        if (entries.isEmpty()) {
            return;
        }
        enqueue.enqueue(entries);
        wakeAfterCommit();
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void enqueueAlone(OutboxEntry entry) {
        check(entry);
        enqueue.enqueueAlone(entry);
        wakeAfterCommit();
    }

    private void check(OutboxEntry entry) {
        EntryRules.check(entry, config.maxPayloadBytes());
        JsonText.check("payload", entry.payload());
    }

    private void wakeAfterCommit() {
        if (transactions.getResource(ENQUEUED) == null) {
            transactions.putResource(ENQUEUED, ENQUEUED);
            enqueued.fire(new EntriesEnqueued());
        }
    }

    // read

    @Override
    public OutboxRecord get(UUID outboxId) {
        return read.get(EntryRules.present("outboxId", outboxId));
    }

    @Override
    public List<OutboxRecord> listForCommand(UUID commandId) {
        return read.listForCommand(EntryRules.present("commandId", commandId));
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public QueueState queueState(DestinationScope scope) {
        return read.queueState(scope);
    }

    // promote and claim

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public int promoteDue(int limit) {
        EntryRules.limit(limit);
        // Exact: a timer may have waited for this very instant.
        return claim.promote(clock.ask(read::now), limit);
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public List<ClaimedEntry> claim(ClaimRequest request) {
        return claim.claim(request, now());
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public LimitedClaim claimLimited(ClaimRequest request) {
        // The transaction begins here; what is asked later in it may be told this instant.
        now();
        return limits.claim(request, () -> clock.later(read::now));
    }

    @Override
    public List<OutboxEntry> claimDue(Instant now, int limit, String workerId) {
        Instant at = EntryRules.instant("now", now);
        EntryRules.limit(limit);
        EntryRules.text("workerId", workerId, MAX_WORKER_ID);
        while (claim.promote(at, PROMOTION) == PROMOTION) {
            continue;
        }
        ClaimRequest request = new ClaimRequest(limit, workerId, UUID.randomUUID(), Set.of());
        return claim.claim(request, at).stream().map(ClaimedEntry::entry).toList();
    }

    // mark, settle, give back: for the holder of the claim

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Set<UUID> markSendStarted(UUID token, Collection<UUID> ids) {
        return ids.isEmpty() ? Set.of() : settle.mark(token, ids, now());
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Set<UUID> settle(Map<UUID, List<Settlement>> settlements, List<Attempt> attempts) {
        if (settlements.values().stream().allMatch(List::isEmpty)) {
            return Set.of();
        }
        Instant now = now();
        Set<UUID> refused = new HashSet<>();
        settlements.forEach((token, ofClaim) -> refused.addAll(settle.settle(token, ofClaim, now)));
        journal.write(attempts, now);
        return refused;
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public boolean lockClaimed(UUID token, UUID outboxId) {
        // The transaction begins here, and the settlement counts on from it.
        now();
        return settle.lock(token, outboxId);
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public boolean settleHere(UUID token, Settlement settlement, Attempt attempt) {
        Instant now = clock.later(read::now);
        boolean accepted = settle.settle(token, List.of(settlement), now).isEmpty();
        journal.write(attempt == null ? List.of() : List.of(attempt), now);
        return accepted;
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public boolean settleLate(UUID token, Attempt attempt, boolean journalled) {
        Instant now = now();
        boolean completed = attempt.outcome() == Dispatched.Kind.COMPLETED && settle.completeLate(token, attempt, now);
        journal.write(journalled ? List.of(attempt) : List.of(), now);
        return completed;
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Set<UUID> giveBack(UUID token, Collection<UUID> ids) {
        return ids.isEmpty() ? Set.of() : settle.giveBack(token, ids);
    }

    // verdicts: by id alone

    @Override
    public void markCompleted(UUID outboxId) {
        verdict.complete(EntryRules.present("outboxId", outboxId), read.now());
    }

    @Override
    public void markFailed(UUID outboxId, String reason, Instant retryAt) {
        EntryRules.present("outboxId", outboxId);
        EntryRules.code(reason);
        if (retryAt == null) {
            verdict.fail(outboxId, reason, read.now());
        } else {
            verdict.retry(outboxId, reason, EntryRules.instant("retryAt", retryAt));
        }
    }

    @Override
    public void markOutcomeUnknown(UUID outboxId, String remoteRef) {
        verdict.unknown(EntryRules.present("outboxId", outboxId), EntryRules.remoteRef(remoteRef), read.now());
    }

    @Override
    public void reschedule(UUID outboxId, Instant nextAttemptAt) {
        verdict.reschedule(
                EntryRules.present("outboxId", outboxId), EntryRules.instant("nextAttemptAt", nextAttemptAt));
    }

    // release

    @Override
    public List<UUID> releaseExpiredClaims(Instant claimedBefore) {
        Released released = release.release(EntryRules.instant("claimedBefore", claimedBefore), Set.of(), read.now());
        List<UUID> ids = new ArrayList<>(released.pending());
        ids.addAll(released.unknown());
        ids.sort(Ids.ORDER);
        return ids;
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Released releaseAbandoned(Duration age, Set<String> deduplicating) {
        Instant now = read.now();
        return release.release(now.minus(age), deduplicating, now, MAX_RELEASE);
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public Released releaseAbandoned(Duration age, Set<String> deduplicating, UUID outboxId) {
        Instant now = read.now();
        return release.release(now.minus(age), deduplicating, now, outboxId);
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public List<UUID> abandoned(Duration age, int limit) {
        return release.abandoned(read.now().minus(age), limit);
    }

    /** The database's: one clock for claim, retry and release. */
    private Instant now() {
        return clock.now(read::now);
    }
}
