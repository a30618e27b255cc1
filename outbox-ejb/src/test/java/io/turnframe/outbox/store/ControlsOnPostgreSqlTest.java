package io.turnframe.outbox.store;

class ControlsOnPostgreSqlTest extends ControlsContract {
    ControlsOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
