package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/** Gives the acts of operators their transactions, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class OutboxOperationsBean implements OutboxOperations {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    @Inject
    private Event<AuditRecord> audited;

    @Inject
    private Event<EntriesEnqueued> due;

    private OperateStage operate;
    private ReleaseStage release;
    private AuditStage audit;
    private ReadStage read;

    @PostConstruct
    void build() {
        Database database = config.database();
        read = new ReadStage(em, config.dataSource(), database);
        audit = new AuditStage(config.dataSource(), database, audited::fire);
        release = new ReleaseStage(em, database);
        operate = new OperateStage(
                em,
                database,
                new VerdictStage(em, read, database),
                new StoryStage(new QueryStage(em, database), audit, config.dataSource(), database),
                audit);
    }

    @Override
    public void check(UUID outboxId, Act act) {
        operate.lock(outboxId, act);
    }

    @Override
    public void complete(UUID outboxId, Act act) {
        operate.complete(outboxId, act, read.now());
    }

    @Override
    public void fail(UUID outboxId, String code, Act act) {
        operate.fail(outboxId, EntryRules.code(code), act, read.now());
    }

    @Override
    public void reschedule(UUID outboxId, Instant at, Act act) {
        operate.reschedule(outboxId, EntryRules.instant("next_attempt_at", at), act, read.now());
        due.fire(new EntriesEnqueued());
    }

    @Override
    public void resubmit(UUID outboxId, Act act) {
        operate.resubmit(outboxId, act, read.now());
        due.fire(new EntriesEnqueued());
    }

    @Override
    public Authorisation authoriseResend(UUID outboxId, Act act, boolean secondPerson) {
        Authorisation authorisation = operate.authoriseResend(outboxId, act, secondPerson, read.now());
        if (authorisation.authorised()) {
            due.fire(new EntriesEnqueued());
        }
        return authorisation;
    }

    @Override
    public void erasePayload(UUID outboxId, Act act) {
        operate.erasePayload(outboxId, act, read.now());
    }

    @Override
    public Released release(Duration age, Set<String> deduplicating, Act act) {
        Instant now = read.now();
        Released released = release.release(now.minus(age), deduplicating, now, DispatchStore.MAX_RELEASE);
        operate.released(released, act, now);
        return released;
    }

    @Override
    public Released release(Duration age, Set<String> deduplicating, UUID outboxId, Act act) {
        Instant now = read.now();
        Released released = release.release(now.minus(age), deduplicating, now, outboxId);
        operate.released(released, act, now);
        return released;
    }

    @Override
    public void record(AuditedAct what, String detail, Act act) {
        audit.write(AuditStage.of(what, act, read.now(), null, detail));
    }
}
