package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Over an executor whose threads are those that the test lets run. */
class SendThreadsTest {
    private final Deque<Runnable> coming = new ArrayDeque<>();
    private final List<Send> sent = new ArrayList<>();
    private final Send first = RunFixture.send("first");
    private final Send second = RunFixture.send("second");
    private final Send third = RunFixture.send("third");
    private int called;
    private boolean rejecting;

    private final SendExecutor executor = new SendExecutor() {
        @Override
        Future<?> submit(Runnable task) {
            if (rejecting) {
                throw new RejectedExecutionException();
            }
            called++;
            coming.add(task);
            return null;
        }
    };

    @Test
    void sendsOnOneThreadWhatIsQuick() {
        SendThreads threads = threads(1, sent::add);
        threads.start(first);
        threads.start(second);
        threads.start(third);
        coming.remove().run();
        assertThat(sent).containsExactly(first, second, third);
        assertThat(called).isEqualTo(2);
        coming.remove().run();
        assertThat(sent).hasSize(3);
    }

    @Test
    void letsNoneWaitForASlowOne() {
        SendThreads threads = threads(1, send -> {
            if (send == first) {
                coming.remove().run();
            }
            sent.add(send);
        });
        threads.start(first);
        threads.start(second);
        threads.start(third);
        coming.remove().run();
        assertThat(sent).containsExactly(second, third, first);
    }

    @Test
    void callsAThreadForOneThatComesWhileAllOthersAreSlow() {
        Deque<SendThreads> itself = new ArrayDeque<>();
        itself.add(threads(1, send -> {
            if (send == first) {
                itself.element().start(second);
                coming.remove().run();
            }
            sent.add(send);
        }));
        itself.element().start(first);
        coming.remove().run();
        assertThat(sent).containsExactly(second, first);
    }

    @Test
    void callsSeveralAtOnceButNotOneForEach() {
        SendThreads threads = threads(2, sent::add);
        threads.start(first);
        threads.start(second);
        threads.start(third);
        assertThat(called).isEqualTo(2);
    }

    @Test
    void forgetsWhatThereIsNoThreadForAndAsksAgain() {
        SendThreads threads = threads(1, sent::add);
        rejecting = true;
        assertThatThrownBy(() -> threads.start(first)).isInstanceOf(RejectedExecutionException.class);
        rejecting = false;
        threads.start(second);
        coming.remove().run();
        assertThat(sent).containsExactly(second);
    }

    @Test
    void goesOnWithTheThreadsItHasIfThereIsNoOther() {
        SendThreads threads = threads(1, sent::add);
        threads.start(first);
        threads.start(second);
        rejecting = true;
        coming.remove().run();
        assertThat(sent).containsExactly(first, second);
    }

    @Test
    void handsNoInterruptOnToTheNext() {
        SendThreads threads = threads(1, send -> {
            sent.add(send);
            if (send == first) {
                Thread.currentThread().interrupt();
            }
        });
        threads.start(first);
        threads.start(second);
        coming.remove().run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sent).containsExactly(first);
        coming.remove().run();
        assertThat(sent).containsExactly(first, second);
    }

    private SendThreads threads(int mostComing, Consumer<Send> body) {
        return new SendThreads(executor, body, mostComing);
    }
}
