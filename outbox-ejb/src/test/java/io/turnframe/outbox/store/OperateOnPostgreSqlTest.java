package io.turnframe.outbox.store;

class OperateOnPostgreSqlTest extends OperateContract {
    OperateOnPostgreSqlTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
