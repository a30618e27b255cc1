package io.turnframe.outbox.store;

class ControlsOnMariaDbTest extends ControlsContract {
    ControlsOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
