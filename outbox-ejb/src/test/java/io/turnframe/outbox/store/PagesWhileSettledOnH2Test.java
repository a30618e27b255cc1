package io.turnframe.outbox.store;

class PagesWhileSettledOnH2Test extends PagesWhileSettledContract {
    PagesWhileSettledOnH2Test() {
        super(TestDatabase.H2, 10_000);
    }
}
