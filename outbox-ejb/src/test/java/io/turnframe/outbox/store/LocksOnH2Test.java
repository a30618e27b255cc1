package io.turnframe.outbox.store;

class LocksOnH2Test extends LocksContract {
    LocksOnH2Test() {
        super(TestDatabase.H2);
    }
}
