package io.turnframe.outbox.store;

class DataExceptionOnPostgreSqlTest extends DataExceptionContract {
    DataExceptionOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
