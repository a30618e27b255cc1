package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.Repeats.Act;
import io.turnframe.outbox.it.admin.Repeats.Attempt;
import io.turnframe.outbox.it.admin.Repeats.Reply;
import io.turnframe.outbox.it.admin.Repeats.Request;
import io.turnframe.outbox.it.admin.Repeats.Story;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Operators act at random while entries are sent: nothing goes out a second time unless somebody, or something on record, let it.
 * {@code it.operator.seconds} says for how long, {@code it.operator.seed} which acts.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("embedded-database")
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=400ms",
    // No machine stands still for so long: what the timer releases to a remote that deduplicates is sent again, and
    // only
    // the log says so.
    "outbox.dispatch.claim-timeout=20s",
    "outbox.dispatch.initial-backoff=50ms",
    "outbox.dispatch.max-attempts=" + RandomOperatorIT.BUDGET,
    "outbox.dispatch.journal=all",
    "outbox.reconcile.enabled=false",
    "outbox.reconcile.settling-time=50ms",
    "outbox.admin.enqueue=true",
    "outbox.destinations=plain,deduplicating",
    "outbox.destination.plain.sender=" + RecordingRemote.JNDI_NAME + "OutboxSender",
    "outbox.destination.plain.reconciler=" + RecordingRemote.JNDI_NAME + "OutboxReconciler",
    "outbox.destination.deduplicating.sender=" + RecordingRemote.JNDI_NAME + "OutboxSender",
    "outbox.destination.deduplicating.reconciler=" + RecordingRemote.JNDI_NAME + "OutboxReconciler",
    "outbox.destination.deduplicating.deduplicates=true"
})
class RandomOperatorIT {
    static final int BUDGET = 3;

    private static final List<String> DESTINATIONS = List.of("plain", "deduplicating");

    private static final Duration WHILE = Duration.ofSeconds(Integer.getInteger("it.operator.seconds", 15));

    private static final long SEED =
            Long.getLong("it.operator.seed", ThreadLocalRandom.current().nextInt());

    private static final int OPERATORS = 3;

    /** Each is done a few times, however slow the machine is. */
    private static final List<String> ACTS = List.of(
            "authorise-resend",
            "bulk",
            "complete",
            "dispatch",
            "fail",
            "hold",
            "limit",
            "release",
            "reschedule",
            "resubmit");

    private static final int TIMES = 3;

    private static final Duration BETWEEN_ENTRIES = Duration.ofMillis(25);

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Client operator = Client.of("operator");

    /** Ids by key. */
    private final ConcurrentMap<String, String> enqueued = new ConcurrentHashMap<>();

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "remote", order = 2, testable = false)
    static WebArchive remote() {
        return Archives.application().addClasses(RecordingRemote.class, RecordServlet.class);
    }

    @Test
    void sendsNothingAgainThatNobodyLet() throws InterruptedException {
        System.out.println("random operator: " + WHILE.toSeconds() + " s, -Dit.operator.seed=" + SEED);
        List<RandomOperator> operators = IntStream.range(0, OPERATORS)
                .mapToObj(n -> new RandomOperator(n == 0 ? "operator" : "clerk", SEED + n, DESTINATIONS))
                .toList();
        actWhileEntriesAreSent(operators);
        operators.get(0).settle(PATIENCE);
        assertThat(failures).isEmpty();
        awaitQuiet();

        Map<String, List<Request>> wire = wire();
        // One that an operator ended in time was never sent.
        assertThat(enqueued.keySet()).containsAll(wire.keySet());
        Repeats repeats = new Repeats(BUDGET);
        List<String> wrong = new ArrayList<>();
        wire.forEach((key, requests) -> repeats.unexplained(requests, story(enqueued.get(key)))
                .forEach(what -> wrong.add("entry " + enqueued.get(key) + ": " + what)));

        System.out.println("random operator: " + wire.size() + " entries, "
                + wire.values().stream().mapToInt(List::size).sum() + " requests, repeats let by "
                + new TreeMap<>(repeats.explained()) + ", acts done " + sum(operators));
        assertThat(wrong).as("-Dit.operator.seed=" + SEED).isEmpty();
        assertThat(operators).flatExtracting(RandomOperator::unexpected).isEmpty();
        assertThat(repeats.explained()).containsKeys("retry", "resubmit", "authorise-resend");
        assertThat(repeats.explained().keySet()).containsAnyOf("reconcile", "sweep");
        assertThat(hasDoneAll(operators)).isTrue();
    }

    private void actWhileEntriesAreSent(List<RandomOperator> operators) throws InterruptedException {
        Instant end = Instant.now().plus(WHILE);
        ScheduledExecutorService producer = Executors.newSingleThreadScheduledExecutor();
        producer.scheduleAtFixedRate(
                () -> watched(this::enqueue), 0, BETWEEN_ENTRIES.toMillis(), TimeUnit.MILLISECONDS);
        List<Thread> threads = operators.stream()
                .map(each -> new Thread(() -> {
                    while (Instant.now().isBefore(end)
                            || !hasDoneAll(operators) && Instant.now().isBefore(end.plus(PATIENCE))) {
                        watched(each::act);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        producer.shutdown();
        assertThat(producer.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private void watched(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException | Error failed) {
            failures.add(failed);
        }
    }

    private void enqueue() {
        String key = UUID.randomUUID().toString();
        String destination = DESTINATIONS.get(enqueued.size() % DESTINATIONS.size());
        JsonObject created = operator.call(
                        "POST",
                        "/entries",
                        "{\"destination\":\"" + destination + "\",\"idempotency_key\":\"" + key
                                + "\",\"payload\":{\"key\":\"" + key + "\"}}")
                .json();
        enqueued.put(key, created.getJsonObject("entry").getString("outbox_id"));
    }

    /** Nothing waits, nothing is out, and what was out has been put on record. */
    private void awaitQuiet() {
        // Twice in a row: a bulk act has ended before the reconciling that it orders has begun.
        AtomicInteger quiet = new AtomicInteger();
        Awaitility.await("nothing is due or out")
                .atMost(PATIENCE)
                .until(() -> quiet.updateAndGet(times -> isQuiet() ? times + 1 : 0) >= 2);
        Map<String, List<Request>> wire = wire();
        Set<String> open = new HashSet<>(wire.keySet());
        Awaitility.await("every request is in the journal")
                .atMost(PATIENCE.plus(WHILE))
                .until(() -> {
                    open.removeIf(key -> isJournalled(key, wire.get(key)));
                    return open.isEmpty();
                });
    }

    private boolean isJournalled(String key, List<Request> requests) {
        Set<Integer> attempts = story(enqueued.get(key)).attempts().stream()
                .map(Attempt::attempt)
                .collect(Collectors.toSet());
        return requests.stream().map(Request::attempt).allMatch(attempts::contains);
    }

    private boolean isQuiet() {
        return get("/jobs").getJsonArray("jobs").getValuesAs(JsonObject.class).stream()
                        .noneMatch(
                                job -> job.getString("job").equals("outbox-reconcile") && !job.containsKey("ended_at"))
                && waiting() == 0
                && get("/destinations").getJsonArray("destinations").getValuesAs(JsonObject.class).stream()
                        .allMatch(destination -> destination.getInt("in_flight") == 0);
    }

    /** Pending or dispatching, in one answer: an entry may go from one to the other. */
    private long waiting() {
        return get("/stats").getJsonArray("counts").getValuesAs(JsonObject.class).stream()
                .filter(count -> DESTINATIONS.contains(count.getString("destination"))
                        && Set.of("pending", "dispatching").contains(count.getString("status")))
                .mapToLong(count -> count.getJsonNumber("count").longValue())
                .sum();
    }

    private Map<String, List<Request>> wire() {
        return operator.send("GET", "/application/requests", null)
                .text()
                .lines()
                .map(line -> line.split("\t"))
                .collect(Collectors.groupingBy(
                        request -> request[0],
                        Collectors.mapping(
                                request -> new Request(Integer.parseInt(request[1]), request[2], request[3]),
                                Collectors.toList())));
    }

    private Story story(String id) {
        JsonObject record = get("/entries/" + id);
        return new Story(
                record.getJsonObject("entry").getString("destination").equals("deduplicating"),
                rows(
                        record,
                        "attempts",
                        row -> new Attempt(row.getInt("attempt"), row.getBoolean("late"), row.getString("outcome"))),
                rows(
                        record,
                        "audit",
                        row -> new Act(
                                row.getInt("attempt"),
                                row.getString("act"),
                                row.getString("to_status"),
                                row.getString("note", null))),
                rows(record, "reconciliations", row -> new Reply(row.getInt("attempt"), row.getString("answer"))));
    }

    private static <T> List<T> rows(JsonObject record, String name, Function<JsonObject, T> row) {
        return record.getJsonArray(name).getValuesAs(JsonObject.class).stream()
                .map(row)
                .toList();
    }

    private JsonObject get(String path) {
        return operator.call("GET", path, null).json();
    }

    private static boolean hasDoneAll(List<RandomOperator> operators) {
        Map<String, Integer> done = sum(operators);
        return ACTS.stream().allMatch(act -> done.getOrDefault(act, 0) >= TIMES);
    }

    private static Map<String, Integer> sum(List<RandomOperator> operators) {
        Map<String, Integer> sum = new TreeMap<>();
        operators.forEach(each -> each.done().forEach((act, times) -> sum.merge(act, times, Integer::sum)));
        return sum;
    }
}
