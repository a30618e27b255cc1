package io.turnframe.outbox.store;

class BulkOnMariaDbTest extends BulkContract {
    BulkOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
