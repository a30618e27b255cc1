package io.turnframe.outbox.store;

class OperateOnH2Test extends OperateContract {
    OperateOnH2Test() {
        super(TestDatabase.H2);
    }
}
