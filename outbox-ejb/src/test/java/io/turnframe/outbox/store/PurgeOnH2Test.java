package io.turnframe.outbox.store;

class PurgeOnH2Test extends PurgeContract {
    PurgeOnH2Test() {
        super(TestDatabase.H2);
    }
}
