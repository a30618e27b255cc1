package io.turnframe.outbox.store;

class PurgeOnMariaDbTest extends PurgeContract {
    PurgeOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
