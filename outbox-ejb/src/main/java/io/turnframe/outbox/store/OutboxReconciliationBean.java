package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.Reconciled;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Gives reconciliation its transactions, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class OutboxReconciliationBean implements OutboxReconciliation {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    @Inject
    private Event<AuditRecord> audited;

    private ReconcileStage reconcile;
    private AuditStage audit;
    private ReadStage read;

    @PostConstruct
    void build() {
        read = new ReadStage(em, config.dataSource(), config.database());
        reconcile = new ReconcileStage(em, config.dataSource(), config.database());
        audit = new AuditStage(config.dataSource(), config.database(), audited::fire);
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public boolean isDue(Set<String> destinations) {
        return !destinations.isEmpty() && reconcile.isDue(destinations);
    }

    @Override
    public List<Question> take(QuestionRequest request, Set<String> destinations, int limit, long maxBytes) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRecordException("limit " + limit + " is outside 1 to " + MAX_LIMIT);
        }
        return destinations.isEmpty() ? List.of() : reconcile.take(request, destinations, limit, maxBytes, read.now());
    }

    @Override
    public Optional<Question> take(QuestionRequest request, UUID outboxId) {
        read.status(outboxId);
        Instant now = read.now();
        Optional<Question> question = reconcile.take(request, outboxId, now);
        question.ifPresent(asked -> audit.asked(asked, now));
        return question;
    }

    @Override
    public boolean settle(Question question, String workerId, Reconciled answer) {
        Instant now = read.now();
        boolean settled = reconcile.settle(question, workerId, answer, now);
        if (settled) {
            audit.answered(question, answer, now);
        }
        return settled;
    }

    @Override
    public void putOff(Question question, Duration delay) {
        reconcile.putOff(question, read.now().plus(delay));
    }

    @Override
    public long overdue(Duration age) {
        return reconcile.overdue(read.now().minus(age));
    }

    @Override
    public OutboxRecord get(UUID outboxId) {
        return read.get(outboxId);
    }
}
