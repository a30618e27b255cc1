package io.turnframe.outbox.store;

class LockedRowOnPostgreSqlTest extends LockedRowContract {
    LockedRowOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
