package io.turnframe.outbox.it.jta;

import io.turnframe.outbox.it.jta.business.Books;

/** The business tables are on a name of their own for the pool of the outbox. */
class AliasIT extends SharedTransactionContract {
    AliasIT() {
        super(Books.ALIAS);
    }
}
