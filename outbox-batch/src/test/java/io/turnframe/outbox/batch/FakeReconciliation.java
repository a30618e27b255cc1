package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.store.OutboxReconciliation;
import io.turnframe.outbox.store.Question;
import io.turnframe.outbox.store.QuestionRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Unknown rows in memory, each due once; it records what was stored, and fails when told to. */
final class FakeReconciliation implements OutboxReconciliation {
    private static final String PAYLOAD = "{\"n\":1}";

    final Map<UUID, Question> due = new LinkedHashMap<>();
    final Map<UUID, OutboxRecord> records = new LinkedHashMap<>();
    final Map<UUID, Reconciled> settled = new LinkedHashMap<>();
    final Map<UUID, Duration> putOff = new LinkedHashMap<>();
    final Set<UUID> lost = new HashSet<>();
    final Set<UUID> failing = new HashSet<>();
    RuntimeException takeFailure;
    int mostOut;
    long overdue;

    UUID add(String destination, boolean isSettled) {
        return add(destination, OutboxStatus.OUTCOME_UNKNOWN, 1, isSettled);
    }

    UUID add(String destination, OutboxStatus status, int number, boolean isSettled) {
        OutboxEntry entry = OutboxEntry.pending(new UUID(1, 1), destination, "k" + records.size(), PAYLOAD).toBuilder()
                .status(status)
                .attemptCount(1)
                .build();
        OutboxRecord row = new OutboxRecord(entry, null, null, null);
        records.put(entry.outboxId(), row);
        if (status == OutboxStatus.OUTCOME_UNKNOWN) {
            due.put(entry.outboxId(), new Question(row, number, Instant.EPOCH, isSettled, null));
        }
        return entry.outboxId();
    }

    @Override
    public boolean isDue(Set<String> destinations) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized List<Question> take(
            QuestionRequest request, Set<String> destinations, int limit, long maxBytes) {
        if (takeFailure != null) {
            throw takeFailure;
        }
        List<Question> taken = due.values().stream()
                .filter(question -> destinations.contains(question.destination()))
                .limit(Math.max(1, Math.min(limit, maxBytes / PAYLOAD.length())))
                .toList();
        taken.forEach(question -> due.remove(question.outboxId()));
        int out = records.size() - due.size() - settled.size() - putOff.size();
        mostOut = Math.max(mostOut, out);
        return taken;
    }

    @Override
    public Optional<Question> take(QuestionRequest request, UUID outboxId) {
        return Optional.ofNullable(due.remove(outboxId));
    }

    @Override
    public boolean settle(Question question, String workerId, Reconciled answer) {
        if (failing.contains(question.outboxId())) {
            throw new IllegalStateException("database down");
        }
        return !lost.contains(question.outboxId()) && settled.put(question.outboxId(), answer) == null;
    }

    @Override
    public void putOff(Question question, Duration delay) {
        putOff.put(question.outboxId(), delay);
    }

    @Override
    public long overdue(Duration age) {
        return overdue;
    }

    @Override
    public OutboxRecord get(UUID outboxId) {
        if (!records.containsKey(outboxId)) {
            throw new OutboxNotFoundException(outboxId);
        }
        return records.get(outboxId);
    }
}
