package io.turnframe.outbox.it.store;

import io.turnframe.outbox.store.DispatchStore;
import java.util.UUID;

/** The model in memory keeps the contract, so that it may judge others, and stand in for them. */
class ModelContractTest implements StoreContract {
    private final ModelFixture model = new ModelFixture();

    @Override
    public DispatchStore store() {
        return model.store();
    }

    @Override
    public void inTransaction(Runnable work) {
        model.inTransaction(work);
    }

    @Override
    public Object stored(UUID id) {
        return model.stored(id);
    }

    @Override
    public void setAttemptCount(UUID id, int count) {
        model.model().setAttemptCount(id, count);
    }
}
