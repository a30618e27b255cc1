package io.turnframe.outbox.store;

class ReconcileOnMariaDbTest extends ReconcileContract {
    ReconcileOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
