package io.turnframe.outbox.store;

class BulkOnPostgreSqlTest extends BulkContract {
    BulkOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
