package io.turnframe.outbox.store;

class StagesOnPostgreSqlTest extends StagesContract {
    StagesOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
