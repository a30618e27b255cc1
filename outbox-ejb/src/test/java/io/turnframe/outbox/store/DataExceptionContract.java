package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A value that the rules let pass and the database cannot hold, as in a table that somebody changed: it is refused, never
 * cut. Here nothing asks the rules, so that any value gets as far.
 */
abstract class DataExceptionContract extends StageFixture {
    DataExceptionContract(TestDatabase database) {
        super(database);
    }

    @Test
    void refusesATextThatIsLongerThanItsColumn() {
        OutboxEntry tooLong = entry("secret".repeat(100)).build();
        assertRefused(List.of(tooLong));
        assertRefused(List.of(entry("a").build(), tooLong));
    }

    @Test
    void refusesALongTextOfWhichTheBeginningExists() {
        OutboxEntry existing = store(entry("k".repeat(255)).build());
        assertRefused(List.of(entry(existing.idempotencyKey() + "secret").build()));
    }

    private void assertRefused(List<OutboxEntry> entries) {
        OutboxException refusal = StoreFailure.of(catchException(() -> enqueue.enqueue(entries)));
        assertThat(refusal).isInstanceOf(InvalidRecordException.class).hasNoCause();
        assertThat(refusal.code()).isEqualTo("turnframe.store.invalid_record");
        assertThat(refusal.getMessage()).contains("SQLSTATE 22").doesNotContain("secret");
    }
}
