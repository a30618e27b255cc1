package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.Locale;

/**
 * What is done to every entry that passes a filter.
 *
 * @param nextAttemptAt when they come due; for {@link Kind#RESCHEDULE} alone
 * @param code why they failed; for {@link Kind#FAIL} alone
 */
public record BulkAct(Kind kind, OutboxFilter filter, Instant nextAttemptAt, String code) {
    /** What can be done to many. Not the authorisation of a resend, whose evidence is one entry's. */
    public enum Kind {
        /** {@code PENDING → PENDING}, due at another time. */
        RESCHEDULE(OutboxStatus.PENDING, AuditedAct.RESCHEDULE),
        /** {@code FAILED → PENDING}, due at once, with a whole budget; not those whose payload was erased. */
        RESUBMIT(OutboxStatus.FAILED, AuditedAct.RESUBMIT),
        /** {@code OUTCOME_UNKNOWN → FAILED}. */
        FAIL(OutboxStatus.OUTCOME_UNKNOWN, AuditedAct.FAIL),
        /** {@code OUTCOME_UNKNOWN}, to be asked about at once. */
        RECONCILE(OutboxStatus.OUTCOME_UNKNOWN, AuditedAct.RECONCILE);

        private final OutboxStatus from;
        private final AuditedAct audited;

        Kind(OutboxStatus from, AuditedAct audited) {
            this.from = from;
            this.audited = audited;
        }

        /** The status of the entries that it is done to. */
        public OutboxStatus from() {
            return from;
        }

        /** The status they are in afterwards. */
        public OutboxStatus to() {
            return switch (this) {
                case RESCHEDULE, RESUBMIT -> OutboxStatus.PENDING;
                case FAIL -> OutboxStatus.FAILED;
                case RECONCILE -> OutboxStatus.OUTCOME_UNKNOWN;
            };
        }

        AuditedAct audited() {
            return audited;
        }

        /** In lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws InvalidRecordException if the filter asks for another status, or a value is missing or out of place */
    public BulkAct {
        EntryRules.present("act", kind);
        EntryRules.present("filter", filter);
        if (filter.status() != null && filter.status() != kind.from()) {
            throw new InvalidRecordException(
                    "the filter's status is " + filter.status().label() + " but " + kind.label()
                            + " is for entries that are " + kind.from().label() + "; leave the status out");
        }
        filter = filter.withStatus(kind.from());
        if ((kind == Kind.RESCHEDULE) != (nextAttemptAt != null)) {
            throw new InvalidRecordException("next_attempt_at is needed to reschedule, and means nothing else");
        }
        if (kind == Kind.RESCHEDULE) {
            nextAttemptAt = EntryRules.instant("next_attempt_at", nextAttemptAt);
        }
        if ((kind == Kind.FAIL) != (code != null)) {
            throw new InvalidRecordException("code is needed to fail, and means nothing else");
        }
        if (kind == Kind.FAIL) {
            EntryRules.code(code);
        }
    }

    /** What it comes with, for the record; null for nothing. */
    String detail() {
        return switch (kind) {
            case RESCHEDULE -> "next_attempt_at=" + nextAttemptAt;
            case FAIL -> "code=" + code;
            case RESUBMIT, RECONCILE -> null;
        };
    }
}
