package io.turnframe.outbox.store;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.UUID;

/** Gives the questions of operators their transaction, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
public class OutboxQueriesBean implements OutboxQueries {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    @Inject
    private StatsCache statistics;

    private QueryStage query;
    private ReadStage read;
    private StatsStage stats;

    @PostConstruct
    void build() {
        query = new QueryStage(em);
        read = new ReadStage(em, config.dataSource(), config.database());
        stats = new StatsStage(config.dataSource(), config.database());
    }

    @Override
    public OutboxPage page(OutboxFilter filter, OutboxPosition after, int limit) {
        return query.page(filter, after, limit);
    }

    @Override
    public OutboxSummary get(UUID outboxId) {
        return query.get(outboxId);
    }

    @Override
    public List<OutboxSummary> listForCommand(UUID commandId) {
        return query.listForCommand(commandId);
    }

    @Override
    public OutboxStats stats() {
        return statistics.get(() -> stats.stats(read.now()));
    }
}
