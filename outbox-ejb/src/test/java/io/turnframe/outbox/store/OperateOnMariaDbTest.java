package io.turnframe.outbox.store;

class OperateOnMariaDbTest extends OperateContract {
    OperateOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
