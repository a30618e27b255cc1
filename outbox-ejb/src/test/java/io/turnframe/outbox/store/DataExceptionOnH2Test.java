package io.turnframe.outbox.store;

class DataExceptionOnH2Test extends DataExceptionContract {
    DataExceptionOnH2Test() {
        super(TestDatabase.H2);
    }
}
