package io.turnframe.outbox.store;

class ControlsOnH2Test extends ControlsContract {
    ControlsOnH2Test() {
        super(TestDatabase.H2);
    }
}
