package io.turnframe.outbox.it.jta;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.it.jta.business.Books;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The business tables are in a database of their own; both data sources are XA. */
@Tag("database-server")
class TwoXaDataSourcesIT extends SharedTransactionContract {
    /** One insert and what belongs to its transaction, and room for pools that look after their connections meanwhile. */
    private static final long A_HANDFUL = 20;

    TwoXaDataSourcesIT() {
        super(Books.APART);
    }

    @Test
    void enqueuesAThousandInAHandfulOfRoundTrips() {
        List<OutboxEntry> entries = entries(1_000);
        long before = statements();
        orders.place(Books.APART, order, entries);
        long sent = statements() - before;
        System.out.println("1,000 entries enqueued in " + sent + " statements");
        assertThat(sent).isPositive().isLessThanOrEqualTo(A_HANDFUL);
    }

    /** How many statements the database of the outbox has executed; each is a round trip. */
    private static long statements() {
        return Books.SHARED.product().contains("PostgreSQL")
                ? Books.SHARED.number("SELECT CAST(SUM(calls) AS bigint) FROM pg_stat_statements JOIN pg_database d"
                        + " ON d.oid = dbid WHERE d.datname = current_database()")
                : Books.SHARED.number("SELECT CAST(variable_value AS int) FROM information_schema.global_status"
                        + " WHERE variable_name = 'QUESTIONS'");
    }
}
