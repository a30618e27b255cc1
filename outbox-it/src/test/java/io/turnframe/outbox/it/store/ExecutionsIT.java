package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.batch.DispatchJobs;
import io.turnframe.outbox.batch.DispatchTimer;
import io.turnframe.outbox.batch.JobRun;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.obeying.ObeyingSender;
import io.turnframe.outbox.store.DispatchStore;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What ticks and traffic leave in the database and in the job repository. The tick is an hour: the ticks are those of the
 * test. No run lingers, so that nearly every commit is a run of its own, as at the rarest traffic; under steady traffic a
 * run takes ten minutes of it.
 */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=1h",
    "outbox.dispatch.linger=0s",
    "outbox.destination.airline.sender=java:global/outbox/probe/ObeyingSender!io.turnframe.outbox.OutboxSender"
})
class ExecutionsIT implements StoreFixture {
    private static final int TICKS = 1_000;

    private static final int KEPT = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @EJB(lookup = Probe.STORE)
    private DispatchStore store;

    @EJB(lookup = "java:app/outbox-batch/DispatchJobs!io.turnframe.outbox.batch.DispatchJobs")
    private DispatchJobs jobs;

    @EJB(lookup = "java:app/outbox-batch/DispatchTimer!io.turnframe.outbox.batch.DispatchTimer")
    private DispatchTimer timer;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Deployment
    static EnterpriseArchive outbox() {
        return Archives.outboxWith(Archives.probe()
                .addPackage(ExecutionsIT.class.getPackage())
                .addPackage(ObeyingSender.class.getPackage()));
    }

    @BeforeEach
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

    /**
     * Counted at the database, where others may be seen too: a run that a last commit of another test woke, the timer's
     * first tick, the pool. They pass; a second statement of each tick would not.
     */
    @Test
    void costsOneStatementATickAndNoExecutionWhenNothingIsDue() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<JobRun> before = all();
            long statements;
            try (StatementCount count = StatementCount.start()) {
                for (int tick = 0; tick < TICKS; tick++) {
                    timer.tick();
                }
                statements = count.soFar();
            }
            System.out.println(TICKS + " ticks: " + statements + " statements");
            assertThat(statements).isEqualTo(TICKS);
            assertThat(all()).isEqualTo(before);
        });
    }

    /** JBeret's repository in memory. */
    @Test
    @Tag("wildfly")
    void keepsTheJobRepositoryBoundedUnderTrafficOfHours() {
        sendOne();
        long first = newest().executionId();
        int rows = 0;
        // A run that has not ended yet may take the next row, too.
        while (newest().executionId() - first < 3 * KEPT) {
            sendOne();
            rows++;
        }
        await().atMost(PATIENCE).until(() -> newest().endedAt() != null);
        System.out.println(rows + " rows: " + (newest().executionId() - first) + " executions, of which " + all().size()
                + " are kept");
        assertThat(all()).hasSizeBetween(KEPT, 2 * KEPT);
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> jobs.report(first))
                .extracting(OutboxException::code)
                .isEqualTo(OutboxException.UNKNOWN_EXECUTION);
    }

    private void sendOne() {
        UUID id = pending();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> status(id) == OutboxStatus.COMPLETED);
    }

    private JobRun newest() {
        return jobs.latest(1).get(0);
    }

    private List<JobRun> all() {
        return jobs.latest(100 * KEPT);
    }
}
