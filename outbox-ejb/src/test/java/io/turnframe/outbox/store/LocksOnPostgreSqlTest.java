package io.turnframe.outbox.store;

class LocksOnPostgreSqlTest extends LocksContract {
    LocksOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
