package io.turnframe.outbox.store;

class LockedRowOnH2Test extends LockedRowContract {
    LockedRowOnH2Test() {
        super(TestDatabase.H2);
    }
}
