package io.turnframe.outbox.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.batch.DispatchJobs;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.store.DispatchStore;
import io.turnframe.outbox.store.OutboxPurge;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The purge as it is deployed. */
@ExtendWith(ArquillianExtension.class)
@Configured("outbox.purge.completed-after=30d")
class PurgeIT implements StoreFixture {
    private static final Duration DAY = Duration.ofDays(1);

    @EJB(lookup = Probe.STORE)
    private DispatchStore store;

    @EJB(lookup = "java:app/outbox-ejb/OutboxPurgeBean!io.turnframe.outbox.store.OutboxPurge")
    private OutboxPurge purge;

    @EJB(lookup = "java:app/outbox-batch/DispatchJobs!io.turnframe.outbox.batch.DispatchJobs")
    private DispatchJobs jobs;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Deployment
    static EnterpriseArchive outbox() {
        return Archives.outboxWith(Archives.probe().addPackage(PurgeIT.class.getPackage()));
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

    @Test
    void removesWhatTheConfigurationSaysAndWhatAParameterAdds() {
        UUID oldFailed = failed();
        UUID old = completed();
        letAllEndIn2020();
        UUID young = completed();
        UUID pending = pending();

        jobs.startPurge(new Properties());
        await().until(() -> stored(old) == null);
        assertThat(stored(oldFailed)).isNotNull();

        Properties failedToo = new Properties();
        failedToo.setProperty("failedAfter", "365d");
        jobs.startPurge(failedToo);
        await().until(() -> stored(oldFailed) == null);
        assertThat(status(young)).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(status(pending)).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void countsTheAgeByTheClockOfTheDatabase() {
        completed();
        assertThat(purge.isDue(OutboxStatus.COMPLETED, DAY)).isFalse();
        assertThat(purge.purge(OutboxStatus.COMPLETED, DAY, 10)).isZero();
        letAllEndIn2020();
        assertThat(purge.isDue(OutboxStatus.COMPLETED, DAY)).isTrue();
        assertThat(purge.purge(OutboxStatus.COMPLETED, DAY, 10)).isEqualTo(1);
    }

    @Test
    void refusesABadParameterAndWhatHasNotEnded() {
        Properties tooShort = new Properties();
        tooShort.setProperty("completedAfter", "1s");
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> jobs.startPurge(tooShort))
                .withMessageStartingWith("completedAfter is PT1S but must lie between");
        assertInvalid(() -> purge.purge(OutboxStatus.PENDING, DAY, 10));
        assertInvalid(() -> purge.purge(OutboxStatus.OUTCOME_UNKNOWN, DAY, 10));
        assertInvalid(() -> purge.purge(OutboxStatus.COMPLETED, DAY, 0));
    }

    private static void letAllEndIn2020() {
        Probe.execute("UPDATE tf_outbox SET completed_at = '2020-01-01 00:00:00' WHERE completed_at IS NOT NULL");
    }
}
