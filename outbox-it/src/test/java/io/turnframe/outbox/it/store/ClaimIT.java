package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.store.DispatchStore;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.transaction.UserTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a claim locks: the statements as they are logged, and two that are open at once. */
@ExtendWith(ArquillianExtension.class)
class ClaimIT implements StoreFixture {
    /** Far beyond any call that does not wait; a call that waits for a lock gives up before. */
    private static final int PATIENCE_SECONDS = 20;

    @EJB(lookup = Probe.STORE)
    private DispatchStore store;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    private ManagedExecutorService threads;

    @Deployment
    static EnterpriseArchive outbox() {
        return Archives.outboxWith(Archives.probe().addPackage(ClaimIT.class.getPackage()));
    }

    @BeforeEach
    @AfterEach
    void empty() {
        Probe.clear();
    }

    @Override
    public DispatchStore store() {
        return store;
    }

    @Override
    public void inTransaction(Runnable work) {
        Probe.inTransaction(transaction, work);
    }

    @Override
    public Object stored(UUID id) {
        return Probe.row(id);
    }

    // the statements

    @Test
    void claimsWithSkipLockedAsTheDatabaseNeedsIt() {
        enqueue(10);
        List<String> selects;
        try (SqlLog log = new SqlLog()) {
            assertThat(claim(UUID.randomUUID())).hasSize(10);
            selects = log.selects();
        }
        selects.forEach(select -> System.out.println("claim: " + select));
        switch (Probe.database()) {
            case POSTGRESQL, MARIADB -> {
                assertThat(selects).hasSize(1);
                assertThat(selects.get(0))
                        .matches("(?s)SELECT outbox_id\\b.*\\bpayload\\b.* FROM tf_outbox WHERE .*"
                                + " ORDER BY created_at, outbox_id LIMIT \\?.* FOR UPDATE SKIP LOCKED\\b.*");
            }
            case H2 -> {
                assertThat(selects).hasSize(2);
                assertThat(selects.get(0))
                        .matches(
                                "(?s)SELECT outbox_id( AS \\w+)? FROM tf_outbox WHERE .* ORDER BY created_at, outbox_id LIMIT \\?.*")
                        .doesNotContain("FOR UPDATE", "payload");
                assertThat(selects.get(1))
                        .matches("(?s)SELECT outbox_id\\b.*\\bpayload\\b.* FROM tf_outbox WHERE .*outbox_id IN \\(.*"
                                + " FOR UPDATE SKIP LOCKED\\b.*")
                        .doesNotContain("ORDER BY");
            }
        }
    }

    // two at once

    @Test
    void twoOpenClaimsTakeDisjointRowsWithoutWaiting() {
        List<UUID> ids = enqueue(10);
        List<UUID> first = new ArrayList<>();
        List<UUID> second = new ArrayList<>();
        inTransaction(() -> {
            first.addAll(claimDue(4, "first"));
            second.addAll(elsewhere(() -> claimDue(4, "second")));
        });
        assertThat(first).isEqualTo(ids.subList(0, 4));
        assertThat(second).isEqualTo(ids.subList(4, 8));
        assertThat(record(first.get(0)).claim().workerId()).isEqualTo("first");
        assertThat(record(second.get(0)).claim().workerId()).isEqualTo("second");
    }

    @Test
    void aClaimReachesPastManyRowsThatAreLocked() {
        List<UUID> ids = enqueue(60);
        inTransaction(() -> {
            assertThat(claimDue(50, "first")).hasSize(50);
            assertThat(elsewhere(() -> claimDue(5, "second"))).isEqualTo(ids.subList(50, 55));
        });
    }

    @Test
    void aClaimThatRollsBackLeavesItsRowsToTheNext() {
        List<UUID> ids = enqueue(3);
        assertThatIllegalStateException()
                .isThrownBy(() -> inTransaction(() -> {
                    assertThat(claimDue(3, "first")).isEqualTo(ids);
                    throw new IllegalStateException("the worker failed");
                }));
        assertThat(claimDue(3, "second")).isEqualTo(ids);
        assertThat(record(ids.get(0)).entry().attemptCount()).isEqualTo(1);
    }

    @Test
    void manyWorkersClaimEveryRowOnce() throws Exception {
        List<UUID> ids = enqueue(400);
        List<Callable<List<UUID>>> workers = IntStream.range(0, 4)
                .<Callable<List<UUID>>>mapToObj(worker -> () -> {
                    List<UUID> claimed = new ArrayList<>();
                    List<UUID> batch;
                    do {
                        batch = claimDue(7, "worker-" + worker);
                        claimed.addAll(batch);
                    } while (!batch.isEmpty());
                    return claimed;
                })
                .toList();
        List<UUID> claimed = new ArrayList<>();
        for (Future<List<UUID>> worker : workers.stream().map(threads::submit).toList()) {
            claimed.addAll(worker.get(2 * PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        assertThat(claimed).hasSize(400).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void aReleaseSkipsARowThatIsBeingSettled() {
        UUID settled = dispatching();
        UUID abandoned = dispatching();
        inTransaction(() -> {
            store.markCompleted(settled);
            assertThat(elsewhere(() -> store.releaseExpiredClaims(FAR))).containsExactly(abandoned);
        });
        assertThat(status(settled)).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(status(abandoned)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void aClaimSkipsARowThatIsBeingEnqueued() {
        UUID committed = pending();
        inTransaction(() -> {
            store.enqueue(entry());
            assertThat(elsewhere(() -> claimDue(10, "second"))).containsExactly(committed);
        });
        assertThat(claimDue(10, "third")).hasSize(1);
    }

    private List<UUID> enqueue(int count) {
        List<OutboxEntry> entries = IntStream.range(0, count)
                .mapToObj(n -> entry().toBuilder().createdAt(T0.plusMillis(n)).build())
                .toList();
        inTransaction(() -> store.enqueueAll(entries));
        return entries.stream().map(OutboxEntry::outboxId).toList();
    }

    private List<UUID> claimDue(int limit, String worker) {
        return store.claimDue(T0.plusSeconds(60), limit, worker).stream()
                .map(OutboxEntry::outboxId)
                .toList();
    }

    /** Does {@code work} in a transaction of another thread, while the caller's is open. */
    private <T> T elsewhere(Callable<T> work) {
        Future<T> result = threads.submit(() -> {
            List<T> results = new ArrayList<>();
            Probe.inTransaction(transaction, () -> {
                Probe.giveUpWaitingForLocks();
                results.add(call(work));
            });
            return results.get(0);
        });
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError("the second transaction waited for the first", failed);
        }
    }

    private static <T> T call(Callable<T> work) {
        try {
            return work.call();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
