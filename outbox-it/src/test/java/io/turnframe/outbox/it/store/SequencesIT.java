package io.turnframe.outbox.it.store;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.store.Database;
import io.turnframe.outbox.store.DispatchStore;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.transaction.UserTransaction;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The deployed store does what the model does, call by call, in random sequences. What was run stands in the server's log.
 * {@code -Dit.sequences.seed} and {@code -Dit.sequences.count} choose others.
 */
@ExtendWith(ArquillianExtension.class)
class SequencesIT implements StoreFixture {
    static final long FIRST_SEED = 1;

    @EJB(lookup = Probe.STORE)
    private DispatchStore store;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Deployment
    static EnterpriseArchive outbox() {
        return Archives.outboxWith(Archives.probe().addPackage(SequencesIT.class.getPackage()));
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
    void sequencesOfFiftyCallsDoWhatTheModelDoes() {
        long first = Long.getLong("it.sequences.seed", FIRST_SEED);
        int count = Integer.getInteger("it.sequences.count", Probe.database() == Database.MARIADB ? 200 : 1_000);
        System.out.println(Probe.database() + ": " + new Sequences(this::emptied, 50).run(first, count));
    }

    @AfterEach
    void empty() {
        Probe.clear();
    }

    private StoreFixture emptied() {
        Probe.clear();
        return this;
    }
}
