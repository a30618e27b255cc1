package io.turnframe.outbox.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A table that another program created, upgraded in place, and the SQL that the documents give an administrator. */
final class ForeignTableFixture {
    private ForeignTableFixture() {}

    /** In a new database: the reference's table, with nothing in it, brought to our shape. */
    static DataSource upgraded() throws SQLException {
        DataSource database = TestPostgreSql.empty();
        TestPostgreSql.execute(database, ReferenceDispatcher.TABLE);
        new Schema(database, Database.POSTGRESQL).migrate();
        return database;
    }

    /** The SQL block of a document below {@code docs} that follows the marker {@code <!-- name -->}. */
    static String documented(String document, String name) {
        Path file = Path.of("..", "docs", document);
        try {
            Matcher block = Pattern.compile("<!-- " + name + " -->\\s*```sql\\n(.*?)```", Pattern.DOTALL)
                    .matcher(Files.readString(file));
            if (!block.find()) {
                throw new AssertionError(file + " has no SQL block marked " + name);
            }
            return block.group(1);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
