package io.turnframe.outbox.store;

import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Writes attempts into {@code tf_outbox_attempt}, in one batch, in the transaction of the settlement they belong to. */
final class JournalStage {
    private static final String COLUMNS =
            "tf_outbox_attempt (attempt, late, worker_id, started_at, ended_at, outcome, code, remote_ref, outbox_id)";

    private static final String OF_ROW =
            " SELECT ?, ?, ?, ?, ?, ?, ?, ?, o.outbox_id FROM tf_outbox o WHERE o.outbox_id = ?";

    private final DataSource dataSource;
    private final Database database;

    JournalStage(DataSource dataSource, Database database) {
        this.dataSource = dataSource;
        this.database = database;
    }

    void write(List<Attempt> attempts, Instant now) {
        if (attempts.isEmpty()) {
            return;
        }
        Jdbc.call(dataSource, connection -> {
            try (PreparedStatement insert = connection.prepareStatement(insert())) {
                for (Attempt attempt : attempts) {
                    insert.setInt(1, attempt.number());
                    insert.setBoolean(2, attempt.late());
                    insert.setString(3, attempt.workerId());
                    database.bind(insert, 4, now.minus(attempt.startedAgo()).truncatedTo(ChronoUnit.MICROS));
                    database.bind(insert, 5, now.minus(attempt.endedAgo()).truncatedTo(ChronoUnit.MICROS));
                    insert.setString(6, attempt.outcome().name().toLowerCase(Locale.ROOT));
                    insert.setString(7, attempt.code());
                    insert.setString(8, attempt.remoteRef());
                    insert.setObject(9, attempt.outboxId());
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        });
    }

    /** A repeat of an ambiguous commit changes nothing, nor does an attempt of a row that is purged by now. */
    private String insert() {
        return switch (database) {
            case H2 -> "MERGE INTO " + COLUMNS + " KEY (outbox_id, attempt, late)" + OF_ROW;
            case POSTGRESQL -> "INSERT INTO " + COLUMNS + OF_ROW + " ON CONFLICT DO NOTHING";
            case MARIADB -> "INSERT IGNORE INTO " + COLUMNS + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        };
    }
}
