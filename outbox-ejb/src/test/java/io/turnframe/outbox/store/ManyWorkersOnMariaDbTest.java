package io.turnframe.outbox.store;

class ManyWorkersOnMariaDbTest extends ManyWorkersContract {
    ManyWorkersOnMariaDbTest() {
        super(TestDatabase.MARIADB, "SET time_zone = '-05:00', innodb_lock_wait_timeout = 5");
    }
}
