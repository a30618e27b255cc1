package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.batch.SendTransaction.Ending;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Only a commit that was refused, or never asked for, leaves nothing. */
class JtaSendTransactionTest {
    /** The calls, in their order. */
    private final List<String> calls = new ArrayList<>();

    /** What a call of this name throws. */
    private final Map<String, Throwable> failures = new HashMap<>();

    private final JtaSendTransaction transaction = new JtaSendTransaction((UserTransaction) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {UserTransaction.class}, (proxy, method, arguments) -> {
                String call = arguments == null ? method.getName() : method.getName() + " " + arguments[0];
                calls.add(call);
                if (failures.containsKey(call)) {
                    throw failures.get(call);
                }
                return method.getName().equals("getStatus") ? Status.STATUS_ACTIVE : null;
            }));

    @Test
    void commitsWhatIsToCommit() {
        assertThat(run(true)).isEqualTo(Ending.COMMITTED);
        assertThat(calls)
                .containsExactly("setTransactionTimeout 3", "begin", "getStatus", "commit", "setTransactionTimeout 0");
    }

    @Test
    void rollsBackTheRest() {
        assertThat(run(false)).isEqualTo(Ending.ROLLED_BACK);
        assertThat(calls).containsExactly("setTransactionTimeout 3", "begin", "rollback", "setTransactionTimeout 0");
    }

    @Test
    void rollsBackWhatThrows() {
        IllegalStateException accident = new IllegalStateException("no connection");
        assertThatThrownBy(() -> transaction.run(Duration.ofSeconds(3), () -> {
                    throw accident;
                }))
                .isSameAs(accident);
        assertThat(calls).containsExactly("setTransactionTimeout 3", "begin", "rollback", "setTransactionTimeout 0");
    }

    @Test
    void takesEverythingButARefusalOfTheCommitForDoubt() {
        failures.put("commit", new RollbackException("refused"));
        assertThat(run(true)).isEqualTo(Ending.ROLLED_BACK);
        for (Throwable doubt : List.of(
                new HeuristicMixedException("half"),
                new SystemException("no answer"),
                new IllegalStateException("no transaction"),
                new NoClassDefFoundError("com/example/Driver"))) {
            failures.put("commit", doubt);
            assertThat(run(true)).as(doubt.toString()).isEqualTo(Ending.IN_DOUBT);
        }
    }

    @Test
    void leavesNoTimeoutBehindWhereNoneCouldBeBegun() {
        failures.put("begin", new NotSupportedException("nested"));
        assertThat(run(true)).isEqualTo(Ending.ROLLED_BACK);
        assertThat(calls).containsExactly("setTransactionTimeout 3", "begin", "setTransactionTimeout 0");
    }

    @Test
    void hasCommittedThoughTheTimeoutStays() {
        for (Throwable kept :
                List.of(new SystemException(), new IllegalStateException(), new NoClassDefFoundError("gone"))) {
            failures.put("setTransactionTimeout 0", kept);
            assertThat(run(true)).as(kept.toString()).isEqualTo(Ending.COMMITTED);
        }
    }

    /** With a timeout that is no whole number of seconds. */
    private Ending run(boolean commits) {
        return transaction.run(Duration.ofMillis(2_100), () -> commits);
    }
}
