package io.turnframe.outbox.store;

class DataExceptionOnMariaDbTest extends DataExceptionContract {
    DataExceptionOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
