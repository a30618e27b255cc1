package io.turnframe.outbox.it.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.jta.business.Books;
import io.turnframe.outbox.it.jta.business.Entries;
import io.turnframe.outbox.it.jta.business.Orders;
import jakarta.ejb.EJB;
import jakarta.ejb.EJBException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What holds wherever the business tables are. */
@ExtendWith(ArquillianExtension.class)
@Tag("wildfly")
abstract class SharedTransactionContract {
    private static final int MANY = 1_000;

    private final Books books;

    @EJB
    Orders orders;

    final UUID order = UUID.randomUUID();

    SharedTransactionContract(Books books) {
        this.books = books;
    }

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application()
                .addPackage(SharedTransactionContract.class.getPackage())
                .addPackage(Orders.class.getPackage());
    }

    @BeforeEach
    void open() {
        orders.open(books);
    }

    @Test
    void keepsOrderAndEntryWhenItCommits() {
        orders.place(books, order, entries(1));
        assertKept(1);
    }

    @Test
    void keepsBothInTheOtherOrderToo() {
        orders.placeAfterEnqueue(books, order, entries(1));
        assertKept(1);
    }

    @Test
    void leavesNeitherWhenItRollsBack() {
        assertThatThrownBy(() -> orders.placeAndFail(books, order, entries(1))).isInstanceOf(EJBException.class);
        assertNothingIsLeft();
    }

    @Test
    void keepsAThousandEntriesWhenItCommits() {
        orders.place(books, order, entries(MANY));
        assertKept(MANY);
    }

    @Test
    void leavesNoneOfAThousandWhenItFailsAfterTheLast() {
        assertThatThrownBy(() -> orders.placeAndFail(books, order, entries(MANY)))
                .isInstanceOf(EJBException.class);
        assertNothingIsLeft();
    }

    @Test
    void leavesNoneOfAThousandWhenTheLastIsADuplicate() {
        List<OutboxEntry> entries = new ArrayList<>(entries(MANY));
        entries.set(
                MANY - 1, entries.get(0).toBuilder().outboxId(UUID.randomUUID()).build());
        assertThatThrownBy(() -> orders.place(books, order, entries))
                .hasRootCauseInstanceOf(OutboxConflictException.class);
        assertNothingIsLeft();
    }

    final List<OutboxEntry> entries(int count) {
        return Stream.generate(() -> Entries.of(order)).limit(count).toList();
    }

    private void assertKept(int entries) {
        assertThat(orders.isWritten(books, order)).isTrue();
        assertThat(orders.entries(order)).isEqualTo(entries);
    }

    final void assertNothingIsLeft() {
        assertThat(orders.isWritten(books, order)).isFalse();
        assertThat(orders.entries(order)).isZero();
    }
}
