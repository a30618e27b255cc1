package io.turnframe.outbox.it.store;

import io.turnframe.outbox.OutboxClaim;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.QueueState;
import io.turnframe.outbox.store.Released;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes sequences of random calls on a store and on the model, and after every call compares the answer, or the refusal,
 * and every record. The first difference is an {@link AssertionError} that names the seed and the calls that lead there.
 */
final class Sequences {
    /** Within it of the wall's time, an instant is one that a store stamped by its own clock. */
    private static final Duration STAMPED = Duration.ofHours(12);

    private final Supplier<? extends StoreFixture> emptied;
    private final int length;
    private long calls;
    private long refusals;

    /**
     * @param emptied the store, emptied
     * @param length calls of a sequence
     */
    Sequences(Supplier<? extends StoreFixture> emptied, int length) {
        this.emptied = emptied;
        this.length = length;
    }

    /** Runs the sequences of {@code count} seeds from {@code first} on; answers in a line what was done. */
    String run(long first, int count) {
        long start = System.nanoTime();
        for (long seed = first; seed < first + count; seed++) {
            run(seed);
        }
        return "%d sequences of %d calls, seeds %d to %d: %d calls, %d of them refused, in %.1f s"
                .formatted(count, length, first, first + count - 1, calls, refusals, (System.nanoTime() - start) / 1e9);
    }

    private void run(long seed) {
        List<RandomCalls.Call> drawn = RandomCalls.draw(seed, length);
        Difference difference = firstDifference(seed, drawn);
        if (difference != null) {
            throw new AssertionError(report(seed, drawn.subList(0, difference.at + 1), difference));
        }
    }

    /** After which call the two were not the same, and how. */
    private record Difference(int at, String model, String store) {}

    private Difference firstDifference(long seed, List<RandomCalls.Call> sequence) {
        StoreFixture store = emptied.get();
        StoreFixture model = new ModelFixture();
        UUID command = RandomCalls.command(seed);
        for (int at = 0; at < sequence.size(); at++) {
            Object expected = answer(sequence.get(at), model);
            String modelState = shown(expected) + records(model, command);
            String storeState = shown(answer(sequence.get(at), store)) + records(store, command);
            calls++;
            refusals += expected instanceof Refusal ? 1 : 0;
            if (!modelState.equals(storeState)) {
                return new Difference(at, modelState, storeState);
            }
        }
        return null;
    }

    private String report(long seed, List<RandomCalls.Call> prefix, Difference found) {
        List<RandomCalls.Call> needed = withoutTheNeedless(seed, prefix);
        Difference shortest = Objects.requireNonNullElse(firstDifference(seed, needed), found);
        return """
                store and model differ after call %d of the sequence with the seed %d.
                Repeat it with -Dit.sequences.seed=%d -Dit.sequences.count=1
                The first %d calls:
                %s
                Of these, the following %d are enough:
                %s
                The model: %s
                The store: %s
                """.formatted(
                        prefix.size(),
                        seed,
                        seed,
                        prefix.size(),
                        numbered(prefix),
                        needed.size(),
                        numbered(needed),
                        shortest.model,
                        shortest.store);
    }

    /** Leaves out every call without which the two still differ, until none is left that can be. */
    private List<RandomCalls.Call> withoutTheNeedless(long seed, List<RandomCalls.Call> prefix) {
        List<RandomCalls.Call> needed = new ArrayList<>(prefix);
        int before;
        do {
            before = needed.size();
            for (int at = needed.size() - 1; at >= 0; at--) {
                RandomCalls.Call call = needed.remove(at);
                if (firstDifference(seed, needed) == null) {
                    needed.add(at, call);
                }
            }
        } while (needed.size() < before);
        return needed;
    }

    private static String numbered(List<RandomCalls.Call> calls) {
        StringBuilder lines = new StringBuilder();
        for (int n = 0; n < calls.size(); n++) {
            lines.append("%4d  %s%n".formatted(n + 1, calls.get(n)));
        }
        return lines.toString();
    }

    // what is compared

    /** A call that threw: which exception, with which code, about which entry. */
    private record Refusal(String type, String code, UUID outboxId) {}

    /** Makes the call; a refusal is an answer too. */
    static Object answer(RandomCalls.Call call, StoreFixture on) {
        return answer(() -> call.work().apply(on));
    }

    private static Object answer(Supplier<Object> call) {
        try {
            return call.get();
        } catch (OutboxException refused) {
            return new Refusal(refused.getClass().getSimpleName(), refused.code(), refused.outboxId());
        } catch (RuntimeException fault) {
            return new Refusal(fault.toString(), null, null);
        }
    }

    private static String records(StoreFixture on, UUID command) {
        Object answer = answer(() -> on.store().listForCommand(command));
        Stream<?> records = answer instanceof List<?> list ? list.stream() : Stream.of(answer);
        return records.map(record -> "\n    " + shown(record)).collect(Collectors.joining());
    }

    /** All of a value as text; an instant that a store stamped itself only to the hour. */
    private static String shown(Object value) {
        if (value instanceof Set<?> set) {
            return set.stream().map(Sequences::shown).sorted().toList().toString();
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(Sequences::shown).toList().toString();
        }
        if (value instanceof OutboxEntry entry) {
            return String.join(
                    " ",
                    entry.outboxId().toString(),
                    entry.commandId().toString(),
                    entry.destination(),
                    entry.idempotencyKey(),
                    entry.payload(),
                    entry.status().label(),
                    Integer.toString(entry.attemptCount()),
                    "due=" + shown(entry.nextAttemptAt()),
                    "created=" + shown(entry.createdAt()),
                    "completed=" + shown(entry.completedAt()));
        }
        if (value instanceof OutboxRecord record) {
            return shown(record.entry()) + " claim=" + shown(record.claim()) + " failure=" + record.lastFailure()
                    + " ref=" + record.remoteRef();
        }
        if (value instanceof OutboxClaim claim) {
            return claim.workerId() + "@" + shown(claim.claimedAt());
        }
        if (value instanceof ClaimedEntry claimed) {
            return shown(claimed.entry()) + " used=" + claimed.budgetUsed() + " abandoned=" + claimed.abandonedCount();
        }
        if (value instanceof Released released) {
            return "pending" + released.pending() + " unknown" + released.unknown();
        }
        if (value instanceof QueueState state) {
            return "due=" + state.due() + " next=" + shown(state.nextDueIn()) + " claim="
                    + shown(state.oldestClaimAge());
        }
        if (value instanceof Instant instant) {
            Duration fromNow = Duration.between(Instant.now(), instant);
            return fromNow.abs().compareTo(STAMPED) < 0 ? "now" + hours(fromNow) : instant.toString();
        }
        if (value instanceof Duration duration) {
            boolean near = duration.abs().compareTo(STAMPED) < 0;
            return near ? hours(duration) : duration.isNegative() ? "long ago" : "far";
        }
        return String.valueOf(value);
    }

    private static String hours(Duration duration) {
        return "%+dh".formatted(Math.round(duration.toSeconds() / 3600.0));
    }
}
