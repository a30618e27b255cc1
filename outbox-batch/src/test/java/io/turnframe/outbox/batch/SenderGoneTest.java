package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.store.Settlement;
import jakarta.ejb.NoSuchEJBException;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An EJB that is undeployed as it is called has sent nothing; whatever a sender throws in its work leaves it unknown. */
class SenderGoneTest extends RunFixture {
    private static final String PROXY = "org.jboss.ejb.client.EJBInvocationHandler";

    @Test
    void retriesAnEntryWhoseSenderWasNotThereToBeCalled() {
        UUID id = sending(entry -> {
            throw thrownBelow(new NoSuchEJBException("there is no such EJB"), PROXY, DispatchRun.class);
        });
        drive(run());
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.PENDING);
        assertThat(store.settled.get(id).code()).isEqualTo("turnframe.dispatch.sender_gone");
    }

    @Test
    void spendsNothingWhereATransactionalSenderWasNotThereToBeCalled() {
        UUID id = sending((TransactionalSender) entry -> {
            throw thrownBelow(new NoSuchEJBException("there is no such EJB"), PROXY, JointSends.class);
        });
        drive(run());
        assertThat(store.settled)
                .containsEntry(
                        id, Settlement.unavailable(id, "turnframe.dispatch.sender_gone", CONFIG.initialBackoff()));
    }

    /** It may have sent before. */
    @Test
    void isUnknownIfItWasTheSenderThatMissedAnEjb() {
        UUID id = sending(new Calling());
        drive(run());
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    void isUnknownIfNothingTellsWhereItWasThrown() {
        UUID id = sending(entry -> {
            NoSuchEJBException bare = new NoSuchEJBException("there is no such EJB");
            bare.setStackTrace(new StackTraceElement[0]);
            throw bare;
        });
        drive(run());
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    void isUnknownIfTheServerThrowsSomethingElse() {
        UUID id = sending(entry -> {
            throw thrownBelow(new IllegalStateException("what now"), PROXY, DispatchRun.class);
        });
        drive(run());
        assertThat(store.settled.get(id).status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    /** As the server's proxy throws it: nothing of the sender stands between it and the caller. */
    private static RuntimeException thrownBelow(RuntimeException thrown, String proxy, Class<?> caller) {
        StackTraceElement[] trace = thrown.getStackTrace();
        int run = 0;
        while (!trace[run].getClassName().equals(caller.getName())) {
            run++;
        }
        StackTraceElement[] seen = Arrays.copyOfRange(trace, run - 1, trace.length);
        seen[0] = new StackTraceElement(proxy, "invoke", null, -1);
        thrown.setStackTrace(seen);
        return thrown;
    }

    /** A sender that has sent, and then calls another EJB. */
    private static final class Calling implements OutboxSender {
        @Override
        public Dispatched send(OutboxEntry entry) {
            throw new NoSuchEJBException("there is no such EJB");
        }
    }
}
