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
    private AuditStage audit;
    private StoryStage story;

    @PostConstruct
    void build() {
        query = new QueryStage(em, config.database());
        read = new ReadStage(em, config.dataSource(), config.database());
        audit = new AuditStage(config.dataSource(), config.database(), written -> {});
        story = new StoryStage(query, audit, config.dataSource(), config.database());
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
    public RecordStory story(UUID outboxId) {
        return story.story(outboxId);
    }

    @Override
    public AuditPage audit(OutboxPosition after, int limit) {
        return AuditPage.of(audit.page(after, QueryStage.limit(limit) + 1), limit);
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
