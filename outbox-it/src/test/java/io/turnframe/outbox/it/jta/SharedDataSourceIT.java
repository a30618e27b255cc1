package io.turnframe.outbox.it.jta;

import io.turnframe.outbox.it.jta.business.Books;

/** The business tables are on the data source of the outbox. */
class SharedDataSourceIT extends SharedTransactionContract {
    SharedDataSourceIT() {
        super(Books.SHARED);
    }
}
