package io.turnframe.outbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class LockedRowOnMariaDbTest extends LockedRowContract {
    LockedRowOnMariaDbTest() {
        super(TestDatabase.MARIADB);
    }

    /** By itself it would give up after an hour: what ends the wait is the bound of the statement. */
    @Override
    DataSource database() throws SQLException {
        DataSource dataSource = super.database();
        waitForLocks(dataSource, 3_600);
        return dataSource;
    }

    @AfterEach
    void waitAsBefore() throws SQLException {
        waitForLocks(dataSource, 50);
    }

    private static void waitForLocks(DataSource dataSource, int seconds) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET GLOBAL innodb_lock_wait_timeout = " + seconds);
        }
    }
}
