package io.turnframe.outbox.store;

class StagesOnH2Test extends StagesContract {
    StagesOnH2Test() {
        super(TestDatabase.H2);
    }
}
