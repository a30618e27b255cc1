package io.turnframe.outbox.store;

class ManyWorkersOnPostgreSqlTest extends ManyWorkersContract {
    ManyWorkersOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL, "SET TIME ZONE 'America/New_York'", "SET lock_timeout = '5s'");
    }
}
