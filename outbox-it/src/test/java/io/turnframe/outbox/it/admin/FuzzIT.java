package io.turnframe.outbox.it.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.admin.Client.Answer;
import io.turnframe.outbox.it.admin.Fuzz.Shot;
import io.turnframe.outbox.it.harness.TestServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Thousands of requests that are made at random from the OpenAPI document: each is answered as that says, none by an
 * unforeseen error. {@code it.fuzz.requests} says how many, {@code it.fuzz.seed} which.
 */
class FuzzIT extends AdminResource {
    private static final int REQUESTS = Integer.getInteger("it.fuzz.requests", 5_000);

    private static final long SEED =
            Long.getLong("it.fuzz.seed", ThreadLocalRandom.current().nextInt());

    private static final int AT_ONCE = 8;

    /** So many are told of. */
    private static final int TOLD = 30;

    private static final Pattern ERROR = Pattern.compile("^\\S+ \\S+ (ERROR|FATAL) ");

    private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] (\\d{3}) ");

    private final Map<String, Client> clients = new HashMap<>();
    private final Queue<String> misfits = new ConcurrentLinkedQueue<>();
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentSkipListMap<>();
    private int loggedBefore;

    @BeforeEach
    void listen() {
        loggedBefore = TestServer.server().logged().size();
        for (String user : Arrays.asList("operator", "viewer", "clerk", null)) {
            clients.put(user, user == null ? Client.nobody() : Client.of(user));
        }
    }

    @AfterEach
    void letGo() {
        Client operator = clients.get("operator");
        operator.call("POST", "/hold", "{\"held\":false}");
        operator.call("PUT", "/destinations/airline", "{\"held\":false}");
        operator.call("PUT", "/destinations/fuzz", "{\"held\":false}");
    }

    @Test
    void answersWhateverIsAskedAsDocumented() throws InterruptedException {
        System.out.println("fuzz: " + REQUESTS + " requests, -Dit.fuzz.seed=" + SEED);
        Fuzz fuzz = new Fuzz(ApiDocument.served(), ids(), SEED);
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, AT_ONCE)
                .mapToObj(n -> new Thread(() -> {
                    for (int number = next.getAndIncrement(); number < REQUESTS; number = next.getAndIncrement()) {
                        fire(fuzz.shot(number));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("fuzz: answered by " + new TreeMap<>(statuses));
        assertNothingIsWrong();
        assertThat(statuses.values().stream().mapToInt(AtomicInteger::get).sum())
                .isEqualTo(REQUESTS);
        // Half the requests or more would be refused at the door if the bends were too many to reach what is behind.
        assertThat(statuses.get(200).get()).isGreaterThan(REQUESTS / 10);
    }

    @Test
    void survivesRequestsThatNoClientSends() {
        for (String request : RawRequests.ALL) {
            String answer = RawRequests.send(request);
            var status = STATUS.matcher(answer);
            if (!answer.isEmpty()
                    && (!status.find() || status.group(1).startsWith("5") && !isTheServers(status.group(1)))) {
                misfits.add(request.lines().findFirst() + ": " + answer);
            }
            if (answer.contains("io.turnframe") || answer.contains("\tat ")) {
                misfits.add(request.lines().findFirst() + " tells of the inside: " + answer);
            }
        }
        assertNothingIsWrong();
        assertThat(clients.get("operator").call("GET", "/me", null).status()).isEqualTo(200);
    }

    /** Not implemented, and a version of HTTP that it does not speak. */
    private static boolean isTheServers(String status) {
        return status.equals("501") || status.equals("505");
    }

    private void fire(Shot shot) {
        try {
            String[] headers = shot.headers().entrySet().stream()
                    .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                    .toArray(String[]::new);
            Answer answer = clients.get(shot.user()).send(shot.method(), shot.target(), shot.body(), headers);
            statuses.computeIfAbsent(answer.status(), status -> new AtomicInteger())
                    .incrementAndGet();
            misfits(shot, answer).forEach(misfit -> misfits.add(shot + "\n    " + misfit));
        } catch (RuntimeException | Error failed) {
            misfits.add(shot + "\n    " + failed + " " + failed.getCause());
        }
    }

    private static List<String> misfits(Shot shot, Answer answer) {
        if (shot.operation() != null) {
            return Conformance.misfits(shot.operation(), answer);
        }
        List<String> misfits = new ArrayList<>();
        if (answer.status() >= 500 && answer.status() != 503) {
            misfits.add(answer.status() + " " + answer.text());
        }
        // A path that it cannot parse, and TRACE, which it never lets through.
        boolean isTheServers = answer.text().isEmpty()
                && (answer.status() == 400 || shot.method().equals("TRACE"));
        if (answer.status() >= 400 && !shot.method().equals("HEAD") && !isTheServers) {
            misfits.addAll(Conformance.misfitsOfProblem(answer));
        }
        return misfits;
    }

    private void assertNothingIsWrong() {
        List<String> logged = TestServer.server().logged();
        List<String> errors = logged.subList(loggedBefore, logged.size()).stream()
                .filter(ERROR.asPredicate())
                .toList();
        assertThat(misfits.stream().limit(TOLD))
                .as(misfits.size() + " are wrong, -Dit.fuzz.seed=" + SEED)
                .isEmpty();
        assertThat(errors).as("logged, -Dit.fuzz.seed=" + SEED).isEmpty();
    }

    /** Of entries in each status, of a command, and of a bulk act. */
    private static List<String> ids() {
        GoodCalls calls = new GoodCalls("Ada");
        AdminCalls admin = new AdminCalls();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(calls.entry("failed"));
            ids.add(calls.entry("outcome_unknown"));
            ids.add(calls.entry("pending"));
        }
        ids.add(admin.entry("accept", "completed"));
        ids.add(admin.record(ids.get(0)).getJsonObject("entry").getString("command_id"));
        String bulk = calls.of("bulkStatus").path();
        ids.add(bulk.substring(bulk.lastIndexOf('/') + 1));
        return ids;
    }
}
