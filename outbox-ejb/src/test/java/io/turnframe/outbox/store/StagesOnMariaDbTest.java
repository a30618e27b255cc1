package io.turnframe.outbox.store;

class StagesOnMariaDbTest extends StagesContract {
    StagesOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
