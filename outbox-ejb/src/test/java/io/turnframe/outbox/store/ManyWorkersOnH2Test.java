package io.turnframe.outbox.store;

class ManyWorkersOnH2Test extends ManyWorkersContract {
    ManyWorkersOnH2Test() {
        super(TestDatabase.H2, "SET TIME ZONE 'America/New_York'");
    }
}
