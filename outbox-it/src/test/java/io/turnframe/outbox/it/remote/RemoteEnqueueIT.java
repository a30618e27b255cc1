package io.turnframe.outbox.it.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.it.harness.Archives;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.naming.InitialContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A business application, a deployment beside the EAR, enqueues in its own JTA transaction. */
@ExtendWith(ArquillianExtension.class)
class RemoteEnqueueIT {
    /** Not configured: what these tests leave is never sent. */
    private static final String DESTINATION = "remote-enqueue-it";

    private static final int PATIENCE_SECONDS = 20;

    /** Long enough to see that a call waits, and shorter than any lock timeout. */
    private static final int GLANCE_MILLIS = 300;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    private ManagedExecutorService threads;

    private Outbox outbox;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application().addPackage(RemoteEnqueueIT.class.getPackage());
    }

    @BeforeEach
    void lookUp() throws Exception {
        outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
    }

    @Test
    void keepsTheEntryWhenTheCallerCommits() throws Exception {
        OutboxEntry entry = entry();
        transaction.begin();
        outbox.enqueue(entry);
        transaction.commit();
        assertThat(outbox.get(entry.outboxId())).isEqualTo(new OutboxRecord(entry, null, null, null));
        assertThat(outbox.listForCommand(entry.commandId()))
                .extracting(OutboxRecord::entry)
                .containsExactly(entry);
    }

    @Test
    void leavesNothingWhenTheCallerRollsBack() throws Exception {
        OutboxEntry entry = entry();
        transaction.begin();
        outbox.enqueue(entry);
        assertThat(outbox.get(entry.outboxId()).entry()).isEqualTo(entry);
        transaction.rollback();
        assertAbsent(entry);
    }

    @Test
    void refusesToEnqueueWithoutATransaction() {
        OutboxEntry entry = entry();
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(() -> outbox.enqueue(entry), () -> outbox.enqueueAll(List.of(entry)))) {
            OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
            assertThat(refusal).isExactlyInstanceOf(OutboxException.class);
            assertThat(refusal.code()).isEqualTo("turnframe.store.transaction_required");
        }
        assertAbsent(entry);
    }

    @Test
    void refusesWhatIsInvalidAndLetsTheCallerCommit() throws Exception {
        OutboxEntry valid = entry();
        OutboxEntry invalid = entry().toBuilder().payload("no json").build();
        transaction.begin();
        outbox.enqueue(valid);
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> outbox.enqueue(invalid));
        assertThat(refusal).isExactlyInstanceOf(InvalidRecordException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.invalid_record");
        transaction.commit();
        assertPresent(valid);
        assertAbsent(invalid);
    }

    @Test
    void refusesToGetAnUnknownId() {
        UUID id = UUID.randomUUID();
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> outbox.get(id));
        assertThat(refusal).isExactlyInstanceOf(OutboxNotFoundException.class);
        assertThat(refusal.outboxId()).isEqualTo(id);
    }

    // duplicates

    @Test
    void refusesADuplicateKeyAndLetsTheCallerCommitTheRest() throws Exception {
        OutboxEntry existing = committed(entry());
        assertDuplicate(
                entry().toBuilder().idempotencyKey(existing.idempotencyKey()).build());
    }

    @Test
    void refusesADuplicateIdAndLetsTheCallerCommitTheRest() throws Exception {
        OutboxEntry existing = committed(entry());
        assertDuplicate(entry().toBuilder().outboxId(existing.outboxId()).build());
        assertThat(outbox.get(existing.outboxId()).entry()).isEqualTo(existing);
    }

    @Test
    void refusesADuplicateThatAnotherTransactionStoredMeanwhile() throws Exception {
        OutboxEntry first = entry();
        OutboxEntry duplicate =
                entry().toBuilder().idempotencyKey(first.idempotencyKey()).build();
        OutboxEntry rest = entry();
        transaction.begin();
        outbox.enqueue(first);
        Future<OutboxException> raced = threads.submit(() -> {
            transaction.begin();
            OutboxException refusal = conflictOf(duplicate);
            outbox.enqueue(rest);
            transaction.commit();
            return refusal;
        });
        // Nobody can know yet whether it is a duplicate.
        assertThatThrownBy(() -> raced.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        transaction.commit();
        assertThat(raced.get(PATIENCE_SECONDS, TimeUnit.SECONDS).outboxId()).isEqualTo(duplicate.outboxId());
        assertPresent(first);
        assertAbsent(duplicate);
        assertPresent(rest);
    }

    @Test
    void acceptsAnEntryWhoseRivalRolledBack() throws Exception {
        OutboxEntry first = entry();
        OutboxEntry second =
                entry().toBuilder().idempotencyKey(first.idempotencyKey()).build();
        transaction.begin();
        outbox.enqueue(first);
        Future<OutboxEntry> raced = threads.submit(() -> committed(second));
        assertThatThrownBy(() -> raced.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        transaction.rollback();
        raced.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertAbsent(first);
        assertPresent(second);
    }

    // many at once

    @Test
    void enqueuesAllOrNone() throws Exception {
        OutboxEntry existing = committed(entry());
        OutboxEntry duplicate =
                entry().toBuilder().idempotencyKey(existing.idempotencyKey()).build();
        List<OutboxEntry> refused = List.of(entry(), duplicate, entry());
        List<OutboxEntry> accepted = List.of(entry(), entry(), entry());
        transaction.begin();
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> outbox.enqueueAll(refused));
        assertThat(refusal).isExactlyInstanceOf(OutboxConflictException.class);
        assertThat(refusal.outboxId()).isEqualTo(duplicate.outboxId());
        outbox.enqueueAll(accepted);
        transaction.commit();
        refused.forEach(this::assertAbsent);
        accepted.forEach(this::assertPresent);
    }

    private static OutboxEntry entry() {
        return OutboxEntry.pending(UUID.randomUUID(), DESTINATION, "key-" + UUID.randomUUID(), "{\"booking\":1}");
    }

    private OutboxEntry committed(OutboxEntry entry) throws Exception {
        transaction.begin();
        outbox.enqueue(entry);
        transaction.commit();
        return entry;
    }

    private void assertDuplicate(OutboxEntry duplicate) throws Exception {
        OutboxEntry rest = entry();
        transaction.begin();
        assertThat(conflictOf(duplicate).outboxId()).isEqualTo(duplicate.outboxId());
        assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
        outbox.enqueue(rest);
        transaction.commit();
        assertPresent(rest);
        assertThat(outbox.listForCommand(duplicate.commandId())).isEmpty();
    }

    /** The conflict itself, not wrapped. */
    private OutboxException conflictOf(OutboxEntry duplicate) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> outbox.enqueue(duplicate));
        assertThat(refusal).isExactlyInstanceOf(OutboxConflictException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.conflict");
        return refusal;
    }

    private void assertPresent(OutboxEntry entry) {
        assertThat(outbox.get(entry.outboxId()).entry()).isEqualTo(entry);
    }

    private void assertAbsent(OutboxEntry entry) {
        assertThat(outbox.listForCommand(entry.commandId())).isEmpty();
    }
}
