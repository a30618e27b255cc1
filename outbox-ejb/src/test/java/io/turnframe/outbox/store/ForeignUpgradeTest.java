package io.turnframe.outbox.store;

import static io.turnframe.outbox.OutboxStatus.COMPLETED;
import static io.turnframe.outbox.OutboxStatus.DISPATCHING;
import static io.turnframe.outbox.OutboxStatus.FAILED;
import static io.turnframe.outbox.OutboxStatus.OUTCOME_UNKNOWN;
import static io.turnframe.outbox.OutboxStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A table with rows in it is upgraded in place, also with rows that no check of ours would accept. */
class ForeignUpgradeTest extends StageFixture {
    private final List<UUID> old = new ArrayList<>();

    private ReferenceDispatcher reference;

    ForeignUpgradeTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** One row in each status, oldest first. */
    @Override
    DataSource database() throws SQLException {
        DataSource database = TestPostgreSql.empty();
        TestPostgreSql.execute(database, ReferenceDispatcher.TABLE);
        reference = new ReferenceDispatcher(database);
        for (int i = 0; i < 5; i++) {
            old.add(reference.enqueue("old" + i, "{\"old\": " + i + "}", T0.plusSeconds(i)));
        }
        assertThat(reference.claimDue(T0, 4)).hasSize(4);
        reference.markCompleted(old.get(0), T0);
        reference.fail(old.get(1), "no", T0);
        reference.markOutcomeUnknown(old.get(2), null);
        return database;
    }

    @Test
    void keepsTheRowsAndGoesOnWithThem() throws SQLException {
        upgrade();

        assertThat(old)
                .extracting(id -> read.get(id).entry().status())
                .containsExactly(COMPLETED, FAILED, OUTCOME_UNKNOWN, DISPATCHING, PENDING);
        assertThat(read.get(old.get(4)).entry().payload()).isEqualTo("{\"old\": 4}");
        assertThat(claimed(T0, 10)).containsExactly(old.get(4));
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.completed(old.get(4), null)), T0)))
                .isEmpty();
        assertThat(in(() -> release.release(T0.plusSeconds(1), Set.of(), T0)).pending())
                .containsExactly(old.get(3));
    }

    @Test
    void sparesWhatSomebodyOnceDidByHand() throws SQLException {
        TestPostgreSql.execute(dataSource, "UPDATE tf_outbox SET completed_at = NULL WHERE status = 'completed'");
        TestPostgreSql.execute(dataSource, "UPDATE tf_outbox SET attempt_count = -1 WHERE status = 'failed'");
        upgrade();

        assertThat(read.get(old.get(0)).entry().completedAt()).isNull();
    }

    @Test
    void addsNoSecondUniqueKey() throws SQLException {
        upgrade();

        assertThat(count("SELECT count(*) FROM pg_indexes WHERE tablename = 'tf_outbox'"
                        + " AND indexdef LIKE '%UNIQUE%(destination, idempotency_key)'"))
                .isEqualTo(1);
    }

    @Test
    void addsTheUniqueKeyWhereThereIsNone() throws SQLException {
        TestPostgreSql.execute(
                dataSource, "ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_destination_idempotency_key_key");
        upgrade();
    }

    /** Fails as a whole: what the script had added before is gone too. */
    @Test
    void leavesATableWithDuplicatesAsItWas() throws SQLException {
        TestPostgreSql.execute(
                dataSource, "ALTER TABLE tf_outbox DROP CONSTRAINT tf_outbox_destination_idempotency_key_key");
        TestPostgreSql.execute(dataSource, "UPDATE tf_outbox SET idempotency_key = 'same'");

        assertThatThrownBy(this::upgrade).hasMessageContaining("could not create unique index");
        assertThat(count("SELECT count(*) FROM information_schema.columns WHERE table_name = 'tf_outbox'"))
                .isEqualTo(14);
        assertThat(reference.claimDue(T0, 10)).hasSize(1);
    }

    private void upgrade() {
        Schema schema = new Schema(dataSource, Database.POSTGRESQL);
        schema.migrate();
        schema.migrate();
        schema.validate();
    }

    private int count(String select) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            row.next();
            return row.getInt(1);
        }
    }
}
