package io.turnframe.outbox.bench.server;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** db-scheduler, polling by lock-and-fetch, its one-time tasks in the place of entries. */
final class Peer {
    static final String TASK = "send";

    private static final String ANY_LEFT = "SELECT EXISTS (SELECT FROM scheduled_tasks)";

    private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();

    private final DataSource dataSource;

    Peer(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Executes all tasks that are due.
     *
     * @param batch tasks of one fetch at most
     * @param sendMillis what each execution sleeps
     * @return nanoseconds from the start of the scheduler until no task was left
     */
    long drain(int batch, int threads, int sendMillis) throws SQLException {
        OneTimeTask<String> task = task(sendMillis);
        double fetch = Math.max(1, (double) batch / threads);
        Scheduler scheduler = Scheduler.create(dataSource, task)
                .serializer(TEXT)
                .threads(threads)
                .pollUsingLockAndFetch(fetch / 2, fetch)
                .pollingInterval(Duration.ofMillis(100))
                .build();
        long begin = System.nanoTime();
        scheduler.start();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            while (isAnyLeft(statement)) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            return System.nanoTime() - begin;
        } finally {
            scheduler.stop();
        }
    }

    private static boolean isAnyLeft(Statement statement) throws SQLException {
        try (ResultSet answer = statement.executeQuery(ANY_LEFT)) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    private static OneTimeTask<String> task(int sendMillis) {
        return Tasks.oneTime(TASK, String.class).execute((instance, context) -> {
            if (sendMillis > 0) {
                sleep(sendMillis);
            }
        });
    }

    private static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever schedules; one for all threads. */
    SchedulerClient client() {
        return SchedulerClient.Builder.create(dataSource, task(0))
                .serializer(TEXT)
                .build();
    }

    static void enqueue(SchedulerClient client, String key, int count) {
        if (count == 1) {
            client.scheduleIfNotExists(new TaskInstance<>(TASK, key, Payload.TEXT), Instant.now());
        } else {
            List<TaskInstance<?>> tasks = IntStream.range(0, count)
                    .<TaskInstance<?>>mapToObj(i -> new TaskInstance<>(TASK, key + "-" + i, Payload.TEXT))
                    .toList();
            client.scheduleBatch(tasks, Instant.now());
        }
    }

    /** The payload as it is: 200 bytes in either table. */
    private static final Serializer TEXT = new Serializer() {
        @Override
        public byte[] serialize(Object data) {
            return data == null ? null : data.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] bytes) {
            return bytes == null ? null : type.cast(new String(bytes, StandardCharsets.UTF_8));
        }
    };
}
