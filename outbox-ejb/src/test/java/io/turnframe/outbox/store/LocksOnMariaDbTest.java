package io.turnframe.outbox.store;

class LocksOnMariaDbTest extends LocksContract {
    LocksOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
