package io.turnframe.outbox.store;

import jakarta.persistence.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The WHERE of a filter over {@code OutboxRow o}, and its parameters. */
final class FilterClause {
    /** The first half is implied by the second; it gives the database a range to scan. */
    private static final String BEHIND = "o.createdAt <= :after and (o.createdAt < :after or o.outboxId > :afterId)";

    private static final String UP_TO = "o.createdAt >= :last and (o.createdAt > :last or o.outboxId <= :lastId)";

    private static final String ESCAPE = "!";

    private final Database database;
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> parameters = new LinkedHashMap<>();

    /** What the order begins with. It is the same in every row, but without it H2 would not see that an index is so ordered. */
    private String first = "";

    FilterClause(Database database) {
        this.database = database;
    }

    FilterClause status(OutboxFilter filter) {
        if (filter.status() != null) {
            String column = database.statusColumn(filter.status());
            // In the text, so that a partial index can be used.
            conditions.add(column + " = sql('''" + filter.status().label() + "''')");
            first = column.equals(Database.STATUS) ? "" : column + ", ";
        }
        return this;
    }

    FilterClause created(OutboxFilter filter) {
        add("o.createdAt >= :createdFrom", "createdFrom", filter.created().from());
        add("o.createdAt < :createdBefore", "createdBefore", filter.created().before());
        return this;
    }

    /** All but its status and its range of creation. */
    FilterClause others(OutboxFilter filter) {
        add("o.destination = :destination", "destination", filter.destination());
        add("o.commandId = :commandId", "commandId", filter.commandId());
        add("o.lastFailure = :failureCode", "failureCode", filter.failureCode());
        add("o.idempotencyKey = :key", "key", filter.idempotencyKey());
        if (filter.keyPrefix() != null) {
            String literal = filter.keyPrefix().replaceAll("[" + ESCAPE + "%_]", ESCAPE + "$0");
            add("o.idempotencyKey like :prefix escape '" + ESCAPE + "'", "prefix", literal + "%");
        }
        add(due(">=", "dueFrom"), "dueFrom", filter.due().from());
        add(due("<", "dueBefore"), "dueBefore", filter.due().before());
        return this;
    }

    /** Those whose payload was not replaced. The column has another name inside, since that of the entry comes without its table. */
    FilterClause notErased() {
        conditions.add("sql('(SELECT COUNT(*) FROM (SELECT outbox_id AS erased FROM tf_outbox_audit"
                + " WHERE act = ''erase-payload'') a WHERE a.erased = ?)', o.outboxId) = 0");
        return this;
    }

    /** Those that nobody asks about now. */
    FilterClause notAsked() {
        conditions.add("o.reconcileWorkerId is null");
        return this;
    }

    FilterClause among(List<UUID> ids) {
        add("o.outboxId in :ids", "ids", ids);
        return this;
    }

    private static String due(String comparison, String parameter) {
        return "(o.nextAttemptAt %1$s :%2$s or o.nextAttemptAt is null and o.createdAt %1$s :%2$s)"
                .formatted(comparison, parameter);
    }

    /** Newest first, behind that position; null: from the start. */
    FilterClause behind(OutboxPosition after) {
        if (after != null) {
            add(BEHIND, "after", after.createdAt());
            parameters.put("afterId", after.outboxId());
        }
        return this;
    }

    /** Newest first, up to that position; null: to the end. */
    FilterClause upTo(OutboxPosition last) {
        if (last != null) {
            add(UP_TO, "last", last.createdAt());
            parameters.put("lastId", last.outboxId());
        }
        return this;
    }

    private void add(String condition, String parameter, Object value) {
        if (value != null) {
            conditions.add(condition);
            parameters.put(parameter, value);
        }
    }

    String text() {
        return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    }

    /**
     * The condition and then the order of pages: that of an index that is of no use to a claim, whose order is neither this nor
     * the reverse.
     */
    String newestFirst() {
        return text() + " order by " + first + "o.createdAt desc, o.outboxId";
    }

    <Q extends Query> Q bind(Q query) {
        parameters.forEach(query::setParameter);
        return query;
    }
}
