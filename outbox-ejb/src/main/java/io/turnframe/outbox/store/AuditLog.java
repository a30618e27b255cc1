package io.turnframe.outbox.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import java.util.StringJoiner;
import java.util.logging.Logger;

/** Writes each act, once it is committed, as one line of a log category of its own, for a collector to take. */
@ApplicationScoped
public class AuditLog {
    private static final Logger LOG = Logger.getLogger("io.turnframe.outbox.audit");

    void onActed(@Observes(during = TransactionPhase.AFTER_SUCCESS) AuditRecord record) {
        LOG.info(line(record));
    }

    /** Fields as {@code name=value}; texts of people in quotes, in which a quote and a backslash have a backslash before them. */
    static String line(AuditRecord record) {
        StringJoiner line = new StringJoiner(" ");
        line.add("act=" + record.act()).add("by=" + quoted(record.actor()));
        add(line, "outbox_id", record.outboxId());
        add(line, "attempt", record.attempt());
        add(line, "destination", record.destination() == null ? null : quoted(record.destination()));
        add(
                line,
                "from",
                record.fromStatus() == null ? null : record.fromStatus().label());
        add(line, "to", record.toStatus() == null ? null : record.toStatus().label());
        add(line, "note", record.note() == null ? null : quoted(record.note()));
        add(line, "detail", record.detail() == null ? null : quoted(record.detail()));
        return line.add("audit_id=" + record.auditId())
                .add("at=" + record.actedAt())
                .toString();
    }

    private static void add(StringJoiner line, String name, Object value) {
        if (value != null) {
            line.add(name + "=" + value);
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
