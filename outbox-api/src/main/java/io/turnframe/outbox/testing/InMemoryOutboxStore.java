package io.turnframe.outbox.testing;

import com.github.f4b6a3.uuid.util.UuidComparator;
import io.turnframe.outbox.EntryRules;
import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.OutboxStore;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An outbox in memory for unit tests: code under test enqueues, and the test reads back what it enqueued.
 *
 * <pre>{@code
 * InMemoryOutboxStore outbox = new InMemoryOutboxStore();
 *
 * new TravelDesk(outbox).book("Ada", "TF 17");
 *
 * OutboxEntry request = outbox.records().get(0).entry();
 * assertEquals("airline", request.destination());
 *
 * outbox.claimDue(Instant.now(), 1, "test");
 * outbox.markOutcomeUnknown(request.outboxId(), null);
 * }</pre>
 *
 * <p>It answers and refuses as the deployed store does, the same limits and exceptions included, with these differences:
 * <ul>
 *   <li>It does not ask whether a payload is JSON, which takes a parser: give it one with {@link Builder#payloadCheck}.
 *   <li>It lets an entry be enqueued outside a transaction, since a unit test has none: to be held to one, ask for
 *       {@link Builder#transactionRequired}. {@link #inTransaction} is its transaction.
 *   <li>No call overlaps another, so nothing is ever locked elsewhere and skipped: a thread waits until the call, or the
 *       transaction, of another has ended.
 *   <li>No send is ever marked as started: {@link #releaseExpiredClaims} always releases to pending.
 * </ul>
 */
public final class InMemoryOutboxStore implements OutboxStore, Outbox {
    private static final Set<OutboxStatus> SENT = Set.of(OutboxStatus.DISPATCHING, OutboxStatus.OUTCOME_UNKNOWN);

    /** As the databases order ids: byte by byte. {@link UUID#compareTo} compares signed halves. */
    private static final Comparator<UUID> ID_ORDER = UuidComparator.getOpaqueInstance();

    private static final Comparator<OutboxRecord> ORDER = Comparator.comparing(
                    (OutboxRecord row) -> row.entry().createdAt())
            .thenComparing(row -> row.entry().outboxId(), ID_ORDER);

    private final Clock clock;
    private final int maxPayload;
    private final Consumer<String> payloadCheck;
    private final boolean transactionRequired;

    /** Guarded by this, as is the next. */
    private Map<UUID, OutboxRecord> rows = new HashMap<>();

    private boolean inTransaction;

    /** An empty store on the system's clock that accepts every payload of up to 8 MiB. */
    public InMemoryOutboxStore() {
        this(new Builder());
    }

    private InMemoryOutboxStore(Builder from) {
        clock = from.clock;
        maxPayload = from.maxPayload;
        payloadCheck = from.payloadCheck;
        transactionRequired = from.transactionRequired;
    }

    /** A builder of a store that differs from {@link #InMemoryOutboxStore()}. */
    public static Builder builder() {
        return new Builder();
    }

    // for the test

    /** Every record, oldest first by {@code createdAt}, then {@code outboxId}. */
    public synchronized List<OutboxRecord> records() {
        return rows.values().stream().sorted(ORDER).toList();
    }

    /**
     * Puts a record as it stands, in place of one with the same id: to set a scene without the calls that lead there.
     *
     * @throws InvalidRecordException if it is dispatching and has no claim or the reverse, or is terminal and has no
     *     {@code completedAt} or the reverse
     */
    public synchronized void put(OutboxRecord row) {
        OutboxEntry entry = EntryRules.present("record", row).entry();
        if ((entry.status() == OutboxStatus.DISPATCHING) != (row.claim() != null)) {
            throw new InvalidRecordException("status is " + entry.status() + " but claim is " + row.claim());
        }
        if (entry.status().isTerminal() != (entry.completedAt() != null)) {
            throw new InvalidRecordException(
                    "status is " + entry.status() + " but completedAt is " + entry.completedAt());
        }
        rows.put(entry.outboxId(), row);
    }

    /**
     * Does {@code work} as a transaction: if it throws, all it did to this store is undone. Within another it is part of
     * that one.
     */
    public synchronized void inTransaction(Runnable work) {
        if (inTransaction) {
            work.run();
            return;
        }
        Map<UUID, OutboxRecord> before = new HashMap<>(rows);
        boolean done = false;
        inTransaction = true;
        try {
            work.run();
            done = true;
        } finally {
            inTransaction = false;
            if (!done) {
                rows = before;
            }
        }
    }

    // enqueue

    @Override
    public void enqueue(OutboxEntry entry) {
        enqueueAll(List.of(EntryRules.present("entry", entry)));
    }

    @Override
    public synchronized void enqueueAll(List<OutboxEntry> entries) {
        for (OutboxEntry entry : EntryRules.present("entries", entries)) {
            EntryRules.check(entry, maxPayload);
            payloadCheck.accept(entry.payload());
        }
        if (transactionRequired && !inTransaction) {
            throw new OutboxException(
                    OutboxException.TRANSACTION_REQUIRED, "enqueue needs a transaction; see inTransaction", null);
        }
        Set<Key> keys = new HashSet<>();
        rows.values().forEach(row -> keys.add(Key.of(row.entry())));
        Set<UUID> ids = new HashSet<>(rows.keySet());
        for (OutboxEntry entry : entries) {
            if (!ids.add(entry.outboxId()) | !keys.add(Key.of(entry))) {
                throw new OutboxConflictException(
                        "an entry with the id " + entry.outboxId() + ", or with its destination " + entry.destination()
                                + " and its idempotency key, exists",
                        entry.outboxId());
            }
        }
        entries.forEach(entry -> rows.put(entry.outboxId(), new OutboxRecord(entry, null, null, null)));
    }

    // read

    @Override
    public synchronized OutboxRecord get(UUID outboxId) {
        OutboxRecord row = rows.get(EntryRules.present("outboxId", outboxId));
        if (row == null) {
            throw new OutboxNotFoundException(outboxId);
        }
        return row;
    }

    @Override
    public synchronized List<OutboxRecord> listForCommand(UUID commandId) {
        EntryRules.present("commandId", commandId);
        return sorted(row -> row.entry().commandId().equals(commandId)).toList();
    }

    // claim

    @Override
    public synchronized List<OutboxEntry> claimDue(Instant now, int limit, String workerId) {
        Instant at = EntryRules.instant("now", now);
        EntryRules.limit(limit);
        OutboxClaim claim = new OutboxClaim(EntryRules.text("workerId", workerId, MAX_WORKER_ID), at);
        List<OutboxRecord> due =
                sorted(row -> isDue(row.entry(), at)).limit(limit).toList();
        due.forEach(row -> change(
                row,
                entry -> entry.status(OutboxStatus.DISPATCHING)
                        .attemptCount(row.entry().attemptCount() + 1),
                claim,
                row.lastFailure(),
                row.remoteRef()));
        return due.stream().map(row -> get(row.entry().outboxId()).entry()).toList();
    }

    private static boolean isDue(OutboxEntry entry, Instant now) {
        return entry.status() == OutboxStatus.PENDING
                && (entry.nextAttemptAt() == null || !entry.nextAttemptAt().isAfter(now));
    }

    // verdicts

    @Override
    public synchronized void markCompleted(UUID outboxId) {
        OutboxRecord row = get(outboxId);
        if (SENT.contains(row.entry().status())) {
            end(row, OutboxStatus.COMPLETED, row.lastFailure());
        } else {
            acceptIf(OutboxStatus.COMPLETED, row, "completed");
        }
    }

    @Override
    public synchronized void markFailed(UUID outboxId, String reason, Instant retryAt) {
        EntryRules.present("outboxId", outboxId);
        EntryRules.code(reason);
        Instant at = retryAt == null ? null : EntryRules.instant("retryAt", retryAt);
        OutboxRecord row = get(outboxId);
        if (at != null) {
            requeue(row, at, reason, "sent again");
        } else if (SENT.contains(row.entry().status())) {
            end(row, OutboxStatus.FAILED, reason);
        } else {
            acceptIf(OutboxStatus.FAILED, row, "failed");
        }
    }

    @Override
    public synchronized void markOutcomeUnknown(UUID outboxId, String remoteRef) {
        EntryRules.present("outboxId", outboxId);
        EntryRules.remoteRef(remoteRef);
        OutboxRecord row = get(outboxId);
        String known = row.remoteRef();
        if (row.entry().status() == OutboxStatus.DISPATCHING) {
            change(
                    row,
                    entry -> entry.status(OutboxStatus.OUTCOME_UNKNOWN),
                    null,
                    row.lastFailure(),
                    remoteRef != null ? remoteRef : known);
        } else {
            acceptIf(OutboxStatus.OUTCOME_UNKNOWN, row, "set to outcome_unknown");
            change(row, entry -> entry, null, row.lastFailure(), known != null ? known : remoteRef);
        }
    }

    @Override
    public synchronized void reschedule(UUID outboxId, Instant nextAttemptAt) {
        EntryRules.present("outboxId", outboxId);
        Instant at = EntryRules.instant("nextAttemptAt", nextAttemptAt);
        OutboxRecord row = get(outboxId);
        requeue(row, at, row.lastFailure(), "rescheduled");
    }

    private void end(OutboxRecord row, OutboxStatus status, String lastFailure) {
        Instant now = clock.instant();
        change(row, entry -> entry.status(status).completedAt(now), null, lastFailure, row.remoteRef());
    }

    private void requeue(OutboxRecord row, Instant at, String lastFailure, String verb) {
        if (row.entry().status().isTerminal()) {
            throw refused(row, verb);
        }
        change(row, entry -> entry.status(OutboxStatus.PENDING).nextAttemptAt(at), null, lastFailure, row.remoteRef());
    }

    private static void acceptIf(OutboxStatus settled, OutboxRecord row, String verb) {
        if (row.entry().status() != settled) {
            throw refused(row, verb);
        }
    }

    private static OutboxConflictException refused(OutboxRecord row, String verb) {
        UUID id = row.entry().outboxId();
        return new OutboxConflictException(
                "entry " + id + " is " + row.entry().status().label() + " and cannot be " + verb, id);
    }

    // release

    @Override
    public synchronized List<UUID> releaseExpiredClaims(Instant claimedBefore) {
        Instant before = EntryRules.instant("claimedBefore", claimedBefore);
        List<OutboxRecord> expired = sorted(
                        row -> row.claim() != null && row.claim().claimedAt().isBefore(before))
                .toList();
        expired.forEach(row -> change(
                row,
                entry -> entry.status(OutboxStatus.PENDING).nextAttemptAt(null),
                null,
                row.lastFailure(),
                row.remoteRef()));
        return expired.stream()
                .map(row -> row.entry().outboxId())
                .sorted(ID_ORDER)
                .toList();
    }

    private Stream<OutboxRecord> sorted(Predicate<OutboxRecord> filter) {
        return rows.values().stream().filter(filter).sorted(ORDER);
    }

    private void change(
            OutboxRecord row,
            UnaryOperator<OutboxEntry.Builder> changes,
            OutboxClaim claim,
            String lastFailure,
            String remoteRef) {
        put(new OutboxRecord(changes.apply(row.entry().toBuilder()).build(), claim, lastFailure, remoteRef));
    }

    /** What must be unique beside the id. */
    private record Key(String destination, String idempotencyKey) {
        static Key of(OutboxEntry entry) {
            return new Key(entry.destination(), entry.idempotencyKey());
        }
    }

    /** Collects what an {@link InMemoryOutboxStore} is to be like. */
    public static final class Builder {
        private Clock clock = Clock.systemUTC();
        private int maxPayload = EntryRules.DEFAULT_MAX_PAYLOAD;
        private Consumer<String> payloadCheck = payload -> {};
        private boolean transactionRequired;

        private Builder() {}

        /** Where {@code completedAt} is read from; every other time comes with the call. The system's by default. */
        public Builder clock(Clock value) {
            clock = EntryRules.present("clock", value);
            return this;
        }

        /** The longest payload, in bytes of UTF-8, as {@code outbox.payload.max-bytes} sets it. 8 MiB by default. */
        public Builder maxPayload(int bytes) {
            maxPayload = bytes;
            return this;
        }

        /**
         * Reads a payload with a JSON parser; whatever it throws refuses the payload. By default none does, and every
         * text is accepted.
         */
        public Builder payloadCheck(Consumer<String> parser) {
            EntryRules.present("payloadCheck", parser);
            payloadCheck = payload -> {
                try {
                    parser.accept(payload);
                } catch (InvalidRecordException refused) {
                    throw refused;
                } catch (RuntimeException notJson) {
                    throw new InvalidRecordException("payload is not JSON");
                }
            };
            return this;
        }

        /** To refuse an enqueue outside {@link #inTransaction}, as the deployed store does. */
        public Builder transactionRequired() {
            transactionRequired = true;
            return this;
        }

        /** An empty store. */
        public InMemoryOutboxStore build() {
            return new InMemoryOutboxStore(this);
        }
    }
}
