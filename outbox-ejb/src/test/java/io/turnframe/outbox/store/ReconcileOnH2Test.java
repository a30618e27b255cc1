package io.turnframe.outbox.store;

class ReconcileOnH2Test extends ReconcileContract {
    ReconcileOnH2Test() {
        super(TestDatabase.H2);
    }
}
