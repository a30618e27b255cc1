package io.turnframe.outbox.it.store;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.store.DispatchStore;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.transaction.UserTransaction;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The deployed store keeps the contract. */
@ExtendWith(ArquillianExtension.class)
class StoreContractIT implements StoreContract {
    @EJB(lookup = Probe.STORE)
    private DispatchStore store;

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    @Deployment
    static EnterpriseArchive outbox() {
        return Archives.outboxWith(Archives.probe().addPackage(StoreContractIT.class.getPackage()));
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

    @Override
    public void setAttemptCount(UUID id, int count) {
        Probe.execute("UPDATE tf_outbox SET attempt_count = " + count + " WHERE outbox_id = '" + id + "'");
    }
}
