package io.turnframe.outbox.store;

class PagesWhileSettledOnPostgreSqlTest extends PagesWhileSettledContract {
    PagesWhileSettledOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL, Integer.getInteger("pages.rows", 20_000));
    }
}
