package io.turnframe.outbox.store;

class BulkOnH2Test extends BulkContract {
    BulkOnH2Test() {
        super(TestDatabase.H2);
    }
}
