package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** The stages over one pool, each call in a transaction, for one thread. */
final class FiguresStages {
    final ReadStage read;
    final StatsStage stats;

    private final EntityManager em;
    private final ClaimStage claim;
    private final SettleStage settle;
    private final QueryStage query;
    private final PurgeStage purge;
    private final StoryStage story;
    private final BulkStage bulk;
    private final UUID token = UUID.randomUUID();

    FiguresStages(DataSource dataSource) {
        em = StageFixture.factory(dataSource).createEntityManager();
        read = new ReadStage(em, dataSource, Database.POSTGRESQL);
        stats = new StatsStage(dataSource, Database.POSTGRESQL);
        claim = new ClaimStage(em, Database.POSTGRESQL);
        settle = new SettleStage(em, dataSource, Database.POSTGRESQL);
        query = new QueryStage(em, Database.POSTGRESQL);
        purge = new PurgeStage(em, Database.POSTGRESQL);
        AuditStage audit = new AuditStage(dataSource, Database.POSTGRESQL, written -> {});
        story = new StoryStage(query, audit, dataSource, Database.POSTGRESQL);
        bulk = new BulkStage(em, query, audit, OutboxBulk.STEP);
    }

    List<UUID> claim(int limit, Instant now) {
        ClaimRequest request = new ClaimRequest(limit, 16_000_000, "figures", token, Set.of(), Set.of());
        return StageFixture.in(em, () -> claim.claim(request, now)).stream()
                .map(claimed -> claimed.entry().outboxId())
                .toList();
    }

    /** Of one destination, as while another is held. */
    List<UUID> claim(String destination, int limit, Instant now) {
        ClaimRequest request =
                new ClaimRequest(limit, 16_000_000, "figures", token, Set.of(), Set.of()).of(destination, limit);
        return StageFixture.in(em, () -> claim.claim(request, now)).stream()
                .map(claimed -> claimed.entry().outboxId())
                .toList();
    }

    /** Marks them and completes them. */
    void settle(List<UUID> ids, Instant now) {
        if (ids.isEmpty()) {
            return;
        }
        StageFixture.in(em, () -> settle.mark(token, ids, now));
        List<Settlement> completions =
                ids.stream().map(id -> Settlement.completed(id, null)).toList();
        StageFixture.in(em, () -> settle.settle(token, completions, now));
    }

    int promote(Instant now) {
        return StageFixture.in(em, () -> claim.promote(now, 1_000));
    }

    int purge(Instant before) {
        return StageFixture.in(em, () -> purge.purge(OutboxStatus.COMPLETED, before, 1_000));
    }

    OutboxPage page(OutboxFilter filter, OutboxPosition after) {
        return StageFixture.in(em, () -> query.page(filter, after, 50));
    }

    RecordStory story(UUID id) {
        return StageFixture.in(em, () -> story.story(id));
    }

    /** What a resubmit of all that failed would do. */
    BulkPlan plan() {
        BulkAct resubmit = new BulkAct(BulkAct.Kind.RESUBMIT, OutboxFilter.ALL, null, null);
        return StageFixture.in(em, () -> bulk.plan(resubmit));
    }
}
