package io.turnframe.outbox.store;

class PurgeOnPostgreSqlTest extends PurgeContract {
    PurgeOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
