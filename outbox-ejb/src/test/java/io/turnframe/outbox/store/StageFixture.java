package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxEntry;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** The stages over a database without a server: quick to run while working on them. */
@Timeout(240)
abstract class StageFixture {
    static final Instant T0 = Instant.parse("2026-03-29T00:59:59.123456Z");
    static final UUID TOKEN = new UUID(7, 7);

    private final TestDatabase database;

    EntityManagerFactory factory;
    DataSource dataSource;
    EntityManager em;
    EnqueueStage enqueue;
    ReadStage read;
    ClaimStage claim;
    SettleStage settle;
    VerdictStage verdict;
    ReleaseStage release;
    QueryStage query;
    StatsStage stats;
    JournalStage journal;

    StageFixture(TestDatabase database) {
        this.database = database;
    }

    /** What the stages work on; with an empty table, unless a test has its own. */
    DataSource database() throws SQLException {
        return database.empty();
    }

    Database stageDatabase() {
        return database.database();
    }

    @BeforeEach
    void open() throws SQLException {
        dataSource = database();
        factory = factory(dataSource);
        em = factory.createEntityManager();
        enqueue = new EnqueueStage(dataSource, database.database());
        read = new ReadStage(em, dataSource, database.database());
        claim = new ClaimStage(em, database.database());
        settle = new SettleStage(em, dataSource, database.database());
        verdict = new VerdictStage(em, read, database.database());
        release = new ReleaseStage(em, database.database());
        query = new QueryStage(em, database.database());
        stats = new StatsStage(dataSource, database.database());
        journal = new JournalStage(dataSource, database.database());
    }

    @AfterEach
    void close() {
        if (em.getTransaction().isActive()) {
            em.getTransaction().rollback();
        }
        em.close();
        factory.close();
    }

    /** Promotes what has come due and claims it under {@link #TOKEN}; answers the ids. */
    List<UUID> claimed(Instant now, int limit) {
        in(() -> claim.promote(now, 100));
        return in(() -> claim.claim(request(limit, Set.of()), now)).stream()
                .map(c -> c.entry().outboxId())
                .toList();
    }

    /** The destination {@code dedup} is sent to without a mark. */
    static ClaimRequest request(int limit, Set<String> excluded) {
        return new ClaimRequest(limit, 1_000_000, "w", TOKEN, excluded, Set.of("dedup"));
    }

    static OutboxEntry.Builder entry(String key) {
        return OutboxEntry.pending(new UUID(1, 2), "airline", key, "{}").toBuilder()
                .createdAt(T0);
    }

    OutboxEntry store(OutboxEntry entry) {
        enqueue.enqueue(List.of(entry));
        return entry;
    }

    /** The persistence unit over {@code dataSource}, without a server. */
    static EntityManagerFactory factory(DataSource dataSource) {
        return Persistence.createEntityManagerFactory(
                "outbox",
                Map.of(
                        "jakarta.persistence.transactionType", "RESOURCE_LOCAL",
                        "jakarta.persistence.jtaDataSource", "",
                        "jakarta.persistence.nonJtaDataSource", dataSource,
                        "eclipselink.target-server", "None",
                        "eclipselink.weaving", "false",
                        "eclipselink.logging.level", "WARNING"));
    }

    <T> T in(Supplier<T> work) {
        return in(em, work);
    }

    /** Does {@code work} in a transaction. */
    static <T> T in(EntityManager em, Supplier<T> work) {
        em.getTransaction().begin();
        try {
            T result = work.get();
            em.getTransaction().commit();
            return result;
        } finally {
            if (em.getTransaction().isActive()) {
                em.getTransaction().rollback();
            }
        }
    }
}
