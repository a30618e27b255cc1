package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.faults.Table.Row;
import io.turnframe.outbox.it.harness.ServerProcess;
import jakarta.json.Json;
import jakarta.json.JsonString;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One destination of three is in trouble, and the others have rows all the while. {@code -Dit.trouble.seconds=60
 * -Dit.trouble.rows=2000} keeps it up for longer and measures with more.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TroubleIT {
    /** How long at least each trouble lasts; always as long as the others take once. */
    private static final int SECONDS = Integer.getInteger("it.trouble.seconds", 0);

    /** Of each of the others, at a time. */
    private static final int ROWS = Integer.getInteger("it.trouble.rows", 300);

    /** Of the one in trouble. */
    private static final int WAITING = 100;

    /** Of one destination, at once. */
    private static final int OUT = 8;

    /** Those after which a destination is left alone, what may have been out by then, and a probe after each pause. */
    private static final int FEW = 5 + OUT + 20;

    private static final long REMOTE_MILLIS = 5;

    /** What the destination does, by whose name the entries are known. */
    enum Trouble {
        DOWN,
        HANGING,
        UNAUTHORIZED,
        HELD;

        String destination() {
            return name().toLowerCase(Locale.ROOT);
        }

        String prefix() {
            return destination() + "-";
        }

        boolean opensTheBreaker() {
            return this == DOWN || this == UNAUTHORIZED;
        }
    }

    private final Remote others = new Remote(REMOTE_MILLIS);
    private final Map<Trouble, Remote> remotes = new EnumMap<>(Trouble.class);

    /** Keeps the port of the one that is down, and listens to nobody. */
    private final Socket nobody = new Socket();

    private ServerProcess server;
    private Table table;
    private int waves;

    @BeforeAll
    void start() throws SQLException, IOException {
        nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        List<String> options = new ArrayList<>(List.of(
                "-Doutbox.dispatch.enabled=true",
                "-Doutbox.dispatch.tick=100ms",
                "-Doutbox.dispatch.concurrency=" + 2 * OUT,
                "-Doutbox.dispatch.batch-size=100",
                "-Doutbox.dispatch.initial-backoff=500ms",
                "-Doutbox.dispatch.max-backoff=15s",
                "-Doutbox.reconcile.interval=1s",
                "-Doutbox.destinations=a,b,down,hanging,unauthorized,held",
                "-Doutbox.destination.a.url=" + others.url(),
                "-Doutbox.destination.b.url=" + others.url(),
                "-Doutbox.destination.down.url=http://localhost:" + nobody.getLocalPort() + "/requests"));
        for (Trouble trouble : List.of(Trouble.HANGING, Trouble.UNAUTHORIZED, Trouble.HELD)) {
            Remote remote = new Remote(0);
            remotes.put(trouble, remote);
            String prefix = "-Doutbox.destination." + trouble.destination();
            options.add(prefix + ".url=" + remote.url());
            options.add(prefix + ".reconcile-url=" + remote.url() + "?key={idempotency_key}");
        }
        server = ServerProcess.onPostgreSql("trouble", "trouble", 140, options);
        server.start();
        table = new Table("trouble");
        wave();
    }

    @AfterAll
    void end() throws SQLException, IOException {
        server.end();
        table.close();
        others.close();
        nobody.close();
        remotes.values().forEach(Remote::close);
    }

    @ParameterizedTest
    @EnumSource
    void holdsUpNobodyElseAndFailsNoRow(Trouble trouble) throws SQLException, IOException {
        // Just before: a server grows faster for minutes, and the machine has other work.
        double undisturbed = SECONDS == 0 ? wave() : median(List.of(wave(), wave(), wave(), wave(), wave()));
        begin(trouble);
        table.insert(trouble.destination(), trouble.prefix(), WAITING);
        eventually("it shows").until(() -> shows(trouble));
        List<Double> rates = new ArrayList<>();
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        do {
            rates.add(wave());
            assertIsStillInTrouble(trouble);
        } while (System.nanoTime() - end < 0);
        int attempts = table.attempts(trouble.prefix());

        end(trouble);
        eventually("it has recovered by itself").until(() -> table.count(trouble.prefix(), "completed") == WAITING);
        for (Row row : table.rows(trouble.prefix())) {
            // The journal has those that did not complete; of the one that was down none has arrived.
            int refused =
                    trouble == Trouble.UNAUTHORIZED ? table.journal(row.id()).size() : 0;
            assertThat(remotes.get(trouble).bodies(row.key()))
                    .as("requests with " + row.key())
                    .hasSize(1 + refused);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d attempts in vain; the others sent %.0f rows/s before and %.0f beside it, %.0f %% of the pace%n",
                trouble,
                attempts,
                undisturbed,
                median(rates),
                100 * median(rates) / undisturbed);
    }

    private void begin(Trouble trouble) {
        switch (trouble) {
            case HANGING -> remotes.get(trouble).behave(key -> Remote.Answer.NONE);
            case UNAUTHORIZED -> remotes.get(trouble).behave(key -> Remote.Answer.UNAUTHORIZED);
            case HELD -> server.put("/destinations/held", "{\"held\":true}");
            case DOWN -> {}
        }
    }

    private boolean shows(Trouble trouble) throws SQLException {
        return switch (trouble) {
            case DOWN, UNAUTHORIZED -> failing().contains(trouble.destination());
            case HANGING -> remotes.get(trouble).waiting().size() == OUT;
            case HELD -> table.count(trouble.prefix(), "pending") == WAITING;
        };
    }

    private void assertIsStillInTrouble(Trouble trouble) throws SQLException {
        assertThat(table.count(trouble.prefix(), "failed")).as("failed rows").isZero();
        if (trouble == Trouble.HANGING) {
            assertThat(remotes.get(trouble).waiting()).isNotEmpty();
            return;
        }
        assertThat(table.count(trouble.prefix(), "pending", "dispatching")).isEqualTo(WAITING);
        assertThat(table.attempts(trouble.prefix()))
                .as("attempts in vain")
                .isBetween(trouble.opensTheBreaker() ? 5 : 0, trouble.opensTheBreaker() ? FEW : 0);
    }

    private void end(Trouble trouble) throws IOException {
        switch (trouble) {
            case HANGING -> {
                remotes.get(trouble).behave(key -> Remote.Answer.CONFIRM);
                remotes.get(trouble).confirmWaiting();
            }
            case UNAUTHORIZED -> remotes.get(trouble).behave(key -> Remote.Answer.CONFIRM);
            case HELD -> server.put("/destinations/held", "{\"held\":false}");
            case DOWN -> {
                int port = nobody.getLocalPort();
                nobody.close();
                remotes.put(trouble, new Remote(0, port));
            }
        }
    }

    /** The destinations that are failing. */
    private List<String> failing() {
        return Json.createReader(new StringReader(server.get("/stats"))).readObject().getJsonArray("failing").stream()
                .map(name -> ((JsonString) name).getString())
                .toList();
    }

    /** Rows to the others, until all are through; answers how many a second. */
    private double wave() throws SQLException {
        String prefix = "wave-" + ++waves + "-";
        table.inOneCommit(() -> {
            table.insert("a", prefix + "a-", ROWS);
            table.insert("b", prefix + "b-", ROWS);
        });
        long begun = System.nanoTime();
        Awaitility.await("the others go on")
                .atMost(Duration.ofMinutes(3))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> table.count(prefix, "completed") == 2 * ROWS);
        return 2 * ROWS / ((System.nanoTime() - begun) / 1e9);
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted().skip(rates.size() / 2).findFirst().orElseThrow();
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(50));
    }
}
