package io.turnframe.outbox.store;

class ReconcileOnPostgreSqlTest extends ReconcileContract {
    ReconcileOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
