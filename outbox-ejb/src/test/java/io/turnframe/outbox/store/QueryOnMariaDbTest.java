package io.turnframe.outbox.store;

class QueryOnMariaDbTest extends QueryContract {
    QueryOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
