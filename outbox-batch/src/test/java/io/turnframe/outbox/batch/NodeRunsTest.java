package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class NodeRunsTest extends RunFixture {
    @Test
    void waitsAtTheEndForARunWhoseStartIsOnItsWay() throws Exception {
        assertThat(runs.wake()).isTrue();
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread end = new Thread(() -> ended.complete(runs.shutDown(Duration.ofSeconds(10))));
        end.start();
        await().until(() -> end.getState() == Thread.State.TIMED_WAITING);
        assertThat(drive(run())).startsWith("completed=0 ");
        assertThat(ended.get()).isTrue();
    }

    @Test
    void doesNotWaitForAStartThatFailed() throws Exception {
        runs.wake();
        Future<Boolean> end = threads.submit(() -> runs.shutDown(Duration.ofSeconds(10)));
        runs.startFailed();
        end.get();
    }

    @Test
    void hasNothingToWaitForWithoutARun() {
        assertThat(runs.shutDown(Duration.ofSeconds(10))).isFalse();
    }
}
