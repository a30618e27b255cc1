package io.turnframe.outbox.it.store;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Draws calls by a seed: the same seed, the same calls. A call carries its arguments, so it can be made again on another
 * store, and calls can be left out. A model is taken along to draw, more often than not, a row in a status that the call
 * is for, and the token that holds it.
 *
 * <p>The times it draws lie years away from the wall's: what a store stamps by its own clock stands apart.
 */
final class RandomCalls {
    private static final Instant T0 = StoreFixture.T0;

    private static final List<Instant> TIMES = List.of(
            OutboxEntry.MIN_INSTANT,
            T0.minusSeconds(1),
            T0,
            T0.plusNanos(1_000),
            T0.plusNanos(1_999),
            T0.plusSeconds(1),
            T0.plusSeconds(2),
            T0.plusSeconds(60),
            StoreFixture.FAR,
            OutboxEntry.MAX_INSTANT);

    private static final List<Instant> NO_TIMES = Arrays.asList(
            null,
            Instant.MIN,
            Instant.parse("1599-12-31T23:59:59.999999999Z"),
            OutboxEntry.MAX_INSTANT.plusNanos(1_000));

    private static final List<String> DESTINATIONS = List.of("airline", "hotel", "Airline", "airline ");

    private static final List<String> KEYS = List.of("k1", "k2", "k3", "k4", "k5", "k6", "K1", "k1 ", "\u00E9");

    private static final List<String> PAYLOADS =
            List.of("{}", "[1, 2]", "\"\"", " null ", "{\"a\":1,\"a\":2}", "{\"nul\":\"\\u0000\"}", "1e-400");

    private static final List<String> WORKERS = List.of("worker-a", "worker-b", "w".repeat(128));

    private static final List<String> CODES = List.of("some.reason", "other.reason", "c".repeat(128));

    private static final List<String> REFERENCES = List.of("ref-1", "ref-2", "r".repeat(512));

    private static final List<Duration> DELAYS =
            List.of(Duration.ZERO, Duration.ZERO, Duration.ofHours(1), Duration.ofHours(5), Duration.ofDays(4_000_000));

    private static final List<Duration> AGES =
            List.of(Duration.ZERO, Duration.ZERO, Duration.ofHours(1), Duration.ofDays(36_500));

    private static final int ENTRIES = 10;

    /** So many calls before there is something to call about. */
    private static final int FIRST_ENQUEUED = 5;

    private final SplittableRandom random;
    private final ModelFixture guide = new ModelFixture();
    private final UUID command;
    private final List<OutboxEntry> entries = new ArrayList<>();
    private final List<UUID> tokens = new ArrayList<>();

    /** One call with its arguments; {@code work} makes it and answers what it answered. */
    record Call(String text, Function<StoreFixture, Object> work) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** A kind of call, and how often it is drawn. */
    private record Kind(int weight, Supplier<Call> draw) {}

    /** The calls of the contract; a business transaction may hold several. */
    private final List<Kind> contract = List.of(
            new Kind(16, this::enqueue),
            new Kind(6, this::enqueueAll),
            new Kind(14, this::claimDue),
            new Kind(6, this::markCompleted),
            new Kind(9, this::markFailed),
            new Kind(8, this::markOutcomeUnknown),
            new Kind(7, this::reschedule),
            new Kind(5, this::releaseExpiredClaims),
            new Kind(2, this::get),
            new Kind(2, this::listForCommand));

    /** Those of the dispatcher, each a transaction of its own. */
    private final List<Kind> fenced = List.of(
            new Kind(2, this::enqueueOutsideATransaction),
            new Kind(5, this::promoteDue),
            new Kind(14, this::claim),
            new Kind(6, this::markSendStarted),
            new Kind(12, this::settle),
            new Kind(4, this::settleLate),
            new Kind(5, this::giveBack),
            new Kind(5, this::releaseAbandoned),
            new Kind(3, this::queueState),
            new Kind(6, this::transaction));

    private RandomCalls(long seed) {
        random = new SplittableRandom(seed);
        command = id();
        for (int n = 0; n < ENTRIES; n++) {
            entries.add(newEntry());
        }
        tokens.add(id());
    }

    /** The calls of {@code seed}. */
    static List<Call> draw(long seed, int length) {
        RandomCalls calls = new RandomCalls(seed);
        List<Call> drawn = new ArrayList<>();
        for (int n = 0; n < length; n++) {
            Call call = n < FIRST_ENQUEUED ? calls.enqueue() : calls.any();
            Sequences.answer(call, calls.guide);
            drawn.add(call);
        }
        return drawn;
    }

    /** The command that every entry of {@code seed} belongs to, so that one read shows them all. */
    static UUID command(long seed) {
        return new RandomCalls(seed).command;
    }

    private Call any() {
        List<Kind> kinds = new ArrayList<>(contract);
        kinds.addAll(fenced);
        return one(kinds);
    }

    private Call one(List<Kind> kinds) {
        int at = random.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
        for (Kind kind : kinds) {
            at -= kind.weight;
            if (at < 0) {
                return kind.draw.get();
            }
        }
        throw new IllegalStateException();
    }

    // enqueue

    private Call enqueue() {
        OutboxEntry entry = entry();
        return call(
                "enqueue(" + text(entry) + ")",
                on -> on.inTransaction(() -> on.store().enqueue(entry)));
    }

    private Call enqueueAll() {
        List<OutboxEntry> list = new ArrayList<>();
        for (int n = random.nextInt(6); n > 0; n--) {
            list.add(entry());
        }
        return call(
                "enqueueAll(" + list.stream().map(RandomCalls::text).toList() + ")",
                on -> on.inTransaction(() -> on.store().enqueueAll(list)));
    }

    private Call enqueueOutsideATransaction() {
        OutboxEntry entry = entry();
        return call(
                "enqueue outside a transaction(" + text(entry) + ")",
                on -> on.store().enqueue(entry));
    }

    private OutboxEntry newEntry() {
        return OutboxEntry.builder()
                .outboxId(id())
                .commandId(command)
                .destination(pick(DESTINATIONS))
                .idempotencyKey(pick(KEYS))
                .payload(pick(PAYLOADS))
                .createdAt(T0.plusNanos(1_000L * random.nextInt(4)))
                .nextAttemptAt(chance(50) ? null : pick(TIMES))
                .build();
    }

    /** One of the sequence's, seldom with something else in it; now and then nothing that may be enqueued. */
    private OutboxEntry entry() {
        OutboxEntry entry = pick(entries);
        if (chance(88)) {
            return entry;
        }
        if (chance(3)) {
            return null;
        }
        OutboxEntry.Builder other = entry.toBuilder();
        return switch (random.nextInt(12)) {
            case 0 -> other.outboxId(id()).build();
            case 1 -> other.idempotencyKey(pick(KEYS)).build();
            case 2 -> other.destination(pick(DESTINATIONS)).build();
            case 3 -> other.payload("{\"a\":}").build();
            case 4 -> other.payload("\"\uD83D\"").build();
            case 5 -> other.status(pick(List.of(OutboxStatus.values()))).build();
            case 6 -> other.attemptCount(random.nextInt(-1, 2)).build();
            case 7 -> other.completedAt(T0).build();
            case 8 -> other.destination("d".repeat(201)).build();
            case 9 -> other.idempotencyKey("k\n1").build();
            case 10 -> other.idempotencyKey(" ").build();
            default -> other.createdAt(pick(TIMES)).build();
        };
    }

    // read

    private Call get() {
        UUID id = id(OutboxStatus.values());
        return answering("get(" + id + ")", on -> on.store().get(id));
    }

    private Call listForCommand() {
        UUID id = chance(90) ? command : chance(50) ? id() : null;
        return answering("listForCommand(" + id + ")", on -> on.store().listForCommand(id));
    }

    private Call queueState() {
        Set<String> some = some(DESTINATIONS, 30);
        DestinationScope scope = new DestinationScope(some, some.isEmpty() || chance(50));
        return answering("queueState(" + scope + ")", on -> on.store().queueState(scope));
    }

    // promote and claim

    /** First a few, whose number alone is told, then all: which few a store takes is its own choice. */
    private Call promoteDue() {
        int limit = chance(90) ? random.nextInt(1, 4) : pick(List.of(0, -1, 10_001));
        return answering("promoteDue(" + limit + ") and the rest", on -> {
            int few = on.store().promoteDue(limit);
            return List.of(few, on.store().promoteDue(10_000));
        });
    }

    private Call claim() {
        UUID token = id();
        tokens.add(token);
        int limit = random.nextInt(1, 6);
        String worker = pick(WORKERS);
        long maxBytes = chance(70) ? Long.MAX_VALUE : pick(List.of(1L, 8L, 20L));
        Set<String> excluded = some(DESTINATIONS, 15);
        Set<String> deduplicating = some(DESTINATIONS, 40);
        return answering(
                "claim(" + limit + ", " + maxBytes + " bytes, " + shown(worker) + ", " + token + ", without " + excluded
                        + ", deduplicating " + deduplicating + ")",
                on -> on.store().claim(new ClaimRequest(limit, maxBytes, worker, token, excluded, deduplicating)));
    }

    private Call claimDue() {
        Instant now = time();
        int limit = chance(95) ? random.nextInt(1, 6) : pick(List.of(0, -1, 10_001, 10_000));
        String worker = chance(97) ? pick(WORKERS) : pick(Arrays.asList(null, " ", "w".repeat(129), "a\rb"));
        return answering(
                "claimDue(" + now + ", " + limit + ", " + shown(worker) + ")",
                on -> on.store().claimDue(now, limit, worker));
    }

    // for the holder of the claim

    private Call markSendStarted() {
        UUID token = token();
        List<UUID> ids = heldAndOthers(token);
        return answering(
                "markSendStarted(" + token + ", " + ids + ")", on -> on.store().markSendStarted(token, ids));
    }

    private Call settle() {
        UUID token = token();
        List<Settlement> settlements =
                heldAndOthers(token).stream().map(this::settlement).toList();
        return answering(
                "settle(" + token + ", "
                        + settlements.stream().map(RandomCalls::text).toList() + ")",
                on -> on.store().settle(Map.of(token, settlements), List.of()));
    }

    private Settlement settlement(UUID id) {
        return switch (random.nextInt(5)) {
            case 0 -> Settlement.completed(id, null);
            case 1 -> Settlement.completed(id, pick(REFERENCES));
            case 2 -> Settlement.retry(id, pick(CODES), pick(DELAYS));
            case 3 -> Settlement.failed(id, pick(CODES));
            default -> Settlement.unknown(id, chance(50) ? null : pick(REFERENCES));
        };
    }

    /** Mostly an answer to the last attempt of its row. */
    private Call settleLate() {
        OutboxEntry entry = pick(entries);
        UUID held = guide.model().token(entry.outboxId());
        UUID token = held != null && chance(75) ? held : pick(tokens);
        int last = guide.model().all().stream()
                .map(OutboxRecord::entry)
                .filter(row -> row.outboxId().equals(entry.outboxId()))
                .mapToInt(OutboxEntry::attemptCount)
                .findFirst()
                .orElse(1);
        Attempt attempt = new Attempt(
                entry.outboxId(),
                chance(85) ? last : random.nextInt(4),
                pick(WORKERS),
                Duration.ofSeconds(40),
                Duration.ofSeconds(1),
                chance(80) ? Dispatched.Kind.COMPLETED : pick(List.of(Dispatched.Kind.values())),
                null,
                chance(50) ? null : pick(REFERENCES),
                true);
        boolean journalled = chance(50);
        return answering(
                "settleLate(" + token + ", " + entry.outboxId() + " attempt " + attempt.number() + " "
                        + attempt.outcome() + " " + shown(attempt.remoteRef()) + ")",
                on -> on.store().settleLate(token, attempt, journalled));
    }

    private Call giveBack() {
        UUID token = token();
        List<UUID> ids = heldAndOthers(token);
        return answering(
                "giveBack(" + token + ", " + ids + ")", on -> on.store().giveBack(token, ids));
    }

    /** Mostly one that holds a row now; else one that did, or never will. */
    private UUID token() {
        List<UUID> held = guide.model().all().stream()
                .filter(row -> row.entry().status() == OutboxStatus.DISPATCHING)
                .map(row -> guide.model().token(row.entry().outboxId()))
                .filter(tokens::contains)
                .toList();
        return !held.isEmpty() && chance(75) ? pick(held) : pick(tokens);
    }

    private List<UUID> heldAndOthers(UUID token) {
        Set<UUID> ids = new LinkedHashSet<>();
        for (OutboxEntry entry : entries) {
            if (chance(token.equals(guide.model().token(entry.outboxId())) ? 75 : 8)) {
                ids.add(entry.outboxId());
            }
        }
        if (chance(5) || ids.isEmpty() && chance(80)) {
            ids.add(chance(50) ? id() : pick(entries).outboxId());
        }
        return List.copyOf(ids);
    }

    // verdicts

    private Call markCompleted() {
        UUID id = id(OutboxStatus.DISPATCHING, OutboxStatus.OUTCOME_UNKNOWN);
        return call("markCompleted(" + id + ")", on -> on.store().markCompleted(id));
    }

    private Call markFailed() {
        UUID id = id(OutboxStatus.DISPATCHING, OutboxStatus.OUTCOME_UNKNOWN, OutboxStatus.PENDING);
        String reason = chance(95) ? pick(CODES) : pick(Arrays.asList(null, "", "c".repeat(129), "a\nb"));
        Instant retryAt = chance(40) ? null : time();
        return call(
                "markFailed(" + id + ", " + shown(reason) + ", " + retryAt + ")",
                on -> on.store().markFailed(id, reason, retryAt));
    }

    private Call markOutcomeUnknown() {
        UUID id = id(OutboxStatus.DISPATCHING, OutboxStatus.OUTCOME_UNKNOWN);
        String reference = chance(30) ? null : chance(95) ? pick(REFERENCES) : pick(List.of("", "r".repeat(513)));
        return call(
                "markOutcomeUnknown(" + id + ", " + shown(reference) + ")",
                on -> on.store().markOutcomeUnknown(id, reference));
    }

    private Call reschedule() {
        UUID id = id(OutboxStatus.DISPATCHING, OutboxStatus.OUTCOME_UNKNOWN, OutboxStatus.PENDING);
        Instant at = time();
        return call("reschedule(" + id + ", " + at + ")", on -> on.store().reschedule(id, at));
    }

    // release

    private Call releaseExpiredClaims() {
        Instant claimedBefore = time();
        return answering(
                "releaseExpiredClaims(" + claimedBefore + ")", on -> on.store().releaseExpiredClaims(claimedBefore));
    }

    private Call releaseAbandoned() {
        Duration age = pick(AGES);
        Set<String> deduplicating = some(DESTINATIONS, 40);
        return answering(
                "releaseAbandoned(" + age + ", " + deduplicating + ")",
                on -> on.store().releaseAbandoned(age, deduplicating));
    }

    // several together

    /** Some calls of the contract, and then a commit or a rollback. A refusal among them ends nothing. */
    private Call transaction() {
        List<Call> calls = new ArrayList<>();
        for (int n = random.nextInt(1, 5); n > 0; n--) {
            calls.add(one(contract));
        }
        boolean commit = chance(60);
        return answering((commit ? "commit " : "roll back ") + calls, on -> {
            List<Object> answers = new ArrayList<>();
            try {
                on.inTransaction(() -> {
                    StoreFixture joined = new Joined(on);
                    calls.forEach(call -> answers.add(Sequences.answer(call, joined)));
                    if (!commit) {
                        throw new RolledBack();
                    }
                });
            } catch (RolledBack asked) {
                answers.add("rolled back");
            }
            return answers;
        });
    }

    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The store within a transaction that is open already. */
    private record Joined(StoreFixture on) implements StoreFixture {
        @Override
        public DispatchStore store() {
            return on.store();
        }

        @Override
        public void inTransaction(Runnable work) {
            work.run();
        }

        @Override
        public Object stored(UUID id) {
            return on.stored(id);
        }
    }

    // arguments

    /** Mostly a row in one of these statuses; else any of the sequence's ids, one of none, or null. */
    private UUID id(OutboxStatus... statuses) {
        List<UUID> fitting = guide.model().all().stream()
                .map(OutboxRecord::entry)
                .filter(entry -> List.of(statuses).contains(entry.status()))
                .map(OutboxEntry::outboxId)
                .toList();
        if (!fitting.isEmpty() && chance(75)) {
            return pick(fitting);
        }
        return chance(85) ? pick(entries).outboxId() : chance(80) ? id() : null;
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private Instant time() {
        return pick(chance(96) ? TIMES : NO_TIMES);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private Set<String> some(List<String> from, int percent) {
        Set<String> some = new LinkedHashSet<>(from);
        some.removeIf(each -> !chance(percent));
        return some;
    }

    private static Call call(String text, Consumer<StoreFixture> work) {
        return answering(text, on -> {
            work.accept(on);
            return "done";
        });
    }

    private static Call answering(String text, Function<StoreFixture, Object> work) {
        return new Call(text, work);
    }

    private static String text(OutboxEntry entry) {
        return entry == null
                ? "null"
                : entry.outboxId() + " " + shown(entry.destination()) + " " + shown(entry.idempotencyKey()) + " "
                        + entry.payload() + " created " + entry.createdAt() + " due " + entry.nextAttemptAt() + " "
                        + entry.status().label() + " " + entry.attemptCount() + " " + entry.completedAt();
    }

    private static String text(Settlement settlement) {
        return settlement.outboxId() + " " + settlement.status().label() + " " + shown(settlement.code()) + " "
                + shown(settlement.remoteRef()) + " " + settlement.retryAfter();
    }

    private static String shown(String text) {
        return text == null ? "null" : "'" + (text.length() > 20 ? text.charAt(0) + "*" + text.length() : text) + "'";
    }
}
