package io.turnframe.outbox.store;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Everything the stages do, on a table that another program created, behind the guard that the documents recommend. */
class StagesOnForeignTableTest extends StagesContract {
    StagesOnForeignTableTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    DataSource database() throws SQLException {
        DataSource database = ForeignTableFixture.upgraded();
        TestPostgreSql.execute(database, ForeignTableFixture.documented("foreign-programs.md", "guard"));
        return database;
    }
}
