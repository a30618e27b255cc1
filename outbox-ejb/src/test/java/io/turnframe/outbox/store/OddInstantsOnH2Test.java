package io.turnframe.outbox.store;

import java.util.List;

class OddInstantsOnH2Test extends OddInstantsContract {
    OddInstantsOnH2Test() {
        super(
                TestDatabase.H2,
                List.of("TIMESTAMP WITH TIME ZONE '0001-01-01 00:00:00+00:00'"),
                List.of("TIMESTAMP WITH TIME ZONE '20000-01-01 00:00:00+00:00'"));
    }
}
