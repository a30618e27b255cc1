package io.turnframe.outbox.store;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

/** Gives each step of a bulk act its transaction, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class OutboxBulkBean implements OutboxBulk {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    @Inject
    private Event<AuditRecord> audited;

    @Inject
    private Event<EntriesEnqueued> due;

    private BulkStage bulk;
    private ReadStage read;

    @PostConstruct
    void build() {
        read = new ReadStage(em, config.dataSource(), config.database());
        AuditStage audit = new AuditStage(config.dataSource(), config.database(), audited::fire);
        bulk = new BulkStage(em, new QueryStage(em, config.database()), audit, STEP);
    }

    @Override
    public BulkPlan plan(BulkAct act) {
        return bulk.plan(act);
    }

    @Override
    public BulkStep step(BulkAct what, OutboxPosition after, String bulkId, Act act) {
        BulkStep step = bulk.step(what, after, bulkId, act, read.now());
        if (step.done() > 0) {
            due.fire(new EntriesEnqueued());
        }
        return step;
    }
}
