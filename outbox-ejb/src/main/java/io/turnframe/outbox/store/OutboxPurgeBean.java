package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxStatus;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;

/** Gives the purge its transactions, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class OutboxPurgeBean implements OutboxPurge {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    private PurgeStage purge;
    private ReadStage read;

    @PostConstruct
    void build() {
        purge = new PurgeStage(em, config.database());
        read = new ReadStage(em, config.dataSource(), config.database());
    }

    @Override
    public boolean isDue(OutboxStatus status, Duration olderThan) {
        return purge.isDue(ended(status), read.now().minus(olderThan));
    }

    @Override
    public int purge(OutboxStatus status, Duration olderThan, int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new InvalidRecordException("limit " + limit + " is outside 1 to " + MAX_LIMIT);
        }
        return purge.purge(ended(status), read.now().minus(olderThan), limit);
    }

    private static OutboxStatus ended(OutboxStatus status) {
        if (!status.isTerminal()) {
            throw new InvalidRecordException("an entry that is " + status.label() + " has not ended");
        }
        return status;
    }
}
