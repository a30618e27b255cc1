package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Whether the table is the one that this version's statements need, whoever made it. Types are not compared: another
 * program's table may hold texts of any length, and the payload as jsonb. A missing index is told and accepted, for it
 * makes claims or pages slow and not wrong.
 */
final class SchemaCheck {
    private static final Logger LOG = Logger.getLogger("io.turnframe.outbox");

    private static final String TABLE = "tf_outbox";

    /** Each table with the columns that the statements name. */
    private static final Map<String, Set<String>> TABLES = Map.of(
            TABLE,
            Set.of(
                    "outbox_id",
                    "command_id",
                    "destination",
                    "payload",
                    "idempotency_key",
                    "status",
                    "attempt_count",
                    "next_attempt_at",
                    "created_at",
                    "completed_at",
                    "claim_worker_id",
                    "claim_taken_at",
                    "last_failure",
                    "remote_ref",
                    "claim_token",
                    "send_started_at",
                    "sends_unmarked",
                    "attempts_forgiven",
                    "abandoned_count",
                    "promoted_at",
                    "unknown_since",
                    "unknown_attempt",
                    "reconcile_count",
                    "reconcile_at",
                    "reconcile_worker_id"),
            "tf_outbox_attempt",
            Set.of(
                    "outbox_id",
                    "attempt",
                    "late",
                    "worker_id",
                    "started_at",
                    "ended_at",
                    "outcome",
                    "code",
                    "remote_ref"),
            "tf_outbox_audit",
            Set.of(
                    "audit_id",
                    "acted_at",
                    "actor",
                    "act",
                    "outbox_id",
                    "attempt",
                    "destination",
                    "from_status",
                    "to_status",
                    "note",
                    "detail"),
            "tf_outbox_destination",
            Set.of("destination", "held", "concurrency", "rate", "next_permit", "note", "changed_at", "changed_by"),
            "tf_outbox_reconciliation",
            Set.of(
                    "outbox_id",
                    "attempt",
                    "question",
                    "worker_id",
                    "asked_at",
                    "answered_at",
                    "answer",
                    "code",
                    "remote_ref"));

    private static final Set<String> KEY = Set.of("destination", "idempotency_key");

    private static final Set<String> INDEXES = Set.of(
            "tf_outbox_ready",
            "tf_outbox_ready_destination",
            "tf_outbox_delayed",
            "tf_outbox_claims",
            "tf_outbox_command",
            "tf_outbox_ended",
            "tf_outbox_unknown",
            "tf_outbox_newest",
            "tf_outbox_doubt");

    private SchemaCheck() {}

    /** Each table with the columns that the statements name, in the order of their names. */
    static SortedMap<String, SortedSet<String>> tables(Database database) {
        SortedMap<String, SortedSet<String>> tables = new TreeMap<>();
        TABLES.forEach((table, columns) -> tables.put(table, new TreeSet<>(columns)));
        if (database != Database.POSTGRESQL) {
            tables.get(TABLE).addAll(Set.of("readiness", "doubt"));
        }
        return tables;
    }

    /**
     * Reads the catalogue; changes nothing.
     *
     * @throws OutboxException with one of the codes of {@link Schema}
     */
    static void check(DataSource dataSource, Database database) {
        try (Connection connection = dataSource.getConnection()) {
            for (Map.Entry<String, SortedSet<String>> table : tables(database).entrySet()) {
                SortedSet<String> missing = table.getValue();
                missing.removeAll(present(connection, database, table.getKey()));
                if (!missing.isEmpty()) {
                    throw Schema.mismatch(
                            database,
                            "the table " + table.getKey() + " lacks the columns " + String.join(", ", missing),
                            null);
                }
            }
            Map<String, Index> indexes = indexes(connection, database);
            if (indexes.values().stream().noneMatch(Index::isTheKey)) {
                throw Schema.mismatch(
                        database,
                        "the table " + TABLE + " has no unique key (destination, idempotency_key), so an entry could"
                                + " be stored twice",
                        null);
            }
            SortedSet<String> slow = new TreeSet<>(INDEXES);
            slow.removeAll(indexes.keySet());
            if (!slow.isEmpty()) {
                LOG.warning("the table " + TABLE + " lacks the indexes " + String.join(", ", slow)
                        + ": with many rows, claims or pages will be slow; create them as the scripts do");
            }
        } catch (SQLException failed) {
            throw Schema.failure(
                    OutboxException.STORE_UNAVAILABLE,
                    "the database did not tell what is in it (" + Schema.oneLine(failed.getMessage()) + ")",
                    failed);
        }
    }

    /** Found as every statement finds the table, by its bare name. */
    private static Set<String> present(Connection connection, Database database, String table) {
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM " + table + " WHERE 1 = 0");
                ResultSet none = select.executeQuery()) {
            ResultSetMetaData metaData = none.getMetaData();
            Set<String> columns = new TreeSet<>();
            for (int column = 1; column <= metaData.getColumnCount(); column++) {
                columns.add(metaData.getColumnName(column).toLowerCase(Locale.ROOT));
            }
            return columns;
        } catch (SQLException absent) {
            throw Schema.failure(
                    Schema.MISSING,
                    "there is no table " + table + " that the user of jdbc/OutboxDS may read ("
                            + Schema.oneLine(absent.getMessage())
                            + "); deploy once with outbox.schema=migrate, or apply the scripts in outbox-ejb.jar, "
                            + Schema.scripts(database) + ", and grant the rights",
                    absent);
        }
    }

    /** A unique index over part of the rows is no unique key. */
    private record Index(boolean unique, boolean partial, Set<String> columns) {
        boolean isTheKey() {
            return unique && !partial && columns.equals(KEY);
        }
    }

    /** Those of the table that the bare name means: other schemas may hold one of the same name. */
    private static Map<String, Index> indexes(Connection connection, Database database) throws SQLException {
        DatabaseMetaData catalogue = connection.getMetaData();
        String schema = database.schemaOf(connection, TABLE);
        String table = catalogue.storesUpperCaseIdentifiers() ? TABLE.toUpperCase(Locale.ROOT) : TABLE;
        Map<String, Index> indexes = new HashMap<>();
        // The last flag: no statistics, which cost a scan on some databases.
        try (ResultSet rows = catalogue.getIndexInfo(connection.getCatalog(), schema, table, false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (name == null || column == null) {
                    continue;
                }
                boolean unique = !rows.getBoolean("NON_UNIQUE");
                boolean partial = rows.getString("FILTER_CONDITION") != null;
                indexes.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new Index(unique, partial, new TreeSet<>()))
                        .columns
                        .add(column.toLowerCase(Locale.ROOT));
            }
        }
        return indexes;
    }
}
