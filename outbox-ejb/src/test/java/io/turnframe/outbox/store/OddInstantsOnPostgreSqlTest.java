package io.turnframe.outbox.store;

import java.util.List;

class OddInstantsOnPostgreSqlTest extends OddInstantsContract {
    OddInstantsOnPostgreSqlTest() {
        super(
                TestDatabase.POSTGRESQL,
                List.of("'-infinity'", "'4000-01-01 00:00:00+00 BC'", "'0001-01-01 00:00:00+00'"),
                List.of("'20000-01-01 00:00:00+00'", "'infinity'"));
    }
}
