package io.turnframe.outbox.store;

class QueryOnPostgreSqlTest extends QueryContract {
    QueryOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
