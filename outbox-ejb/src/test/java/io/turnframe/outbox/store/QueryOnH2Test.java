package io.turnframe.outbox.store;

class QueryOnH2Test extends QueryContract {
    QueryOnH2Test() {
        super(TestDatabase.H2);
    }
}
