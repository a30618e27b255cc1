package io.turnframe.outbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

class OddInstantsOnMariaDbTest extends OddInstantsContract {
    OddInstantsOnMariaDbTest() {
        super(TestDatabase.MARIADB, List.of("'0000-00-00 00:00:00'", "'0001-01-01 00:00:00'"), List.of());
    }

    /** A date of zeros is let pass. */
    @Override
    void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = ''");
        }
    }
}
