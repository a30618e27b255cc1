package io.turnframe.outbox.it.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.jta.business.Books;
import io.turnframe.outbox.it.jta.business.Entries;
import io.turnframe.outbox.it.jta.business.Orders;
import jakarta.ejb.EJB;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The business tables are in a database of their own, and neither data source is XA. */
@ExtendWith(ArquillianExtension.class)
@Tag("wildfly")
@Tag("embedded-database")
class TwoNonXaDataSourcesIT {
    private final UUID order = UUID.randomUUID();

    @EJB
    private Orders orders;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application()
                .addPackage(TwoNonXaDataSourcesIT.class.getPackage())
                .addPackage(Orders.class.getPackage());
    }

    @BeforeEach
    void open() {
        orders.open(Books.NOT_XA);
    }

    @AfterEach
    void nothingIsHalfWritten() {
        assertThat(orders.isWritten(Books.NOT_XA, order)).isFalse();
        assertThat(orders.entries(order)).isZero();
    }

    @Test
    void refusesToEnqueueWithAReason() {
        Throwable failure = catchThrowable(() -> orders.place(Books.NOT_XA, order, List.of(Entries.of(order))));
        assertThat(failure).cause().isInstanceOfSatisfying(OutboxException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("turnframe.store.not_enlisted");
            assertThat(refusal).hasMessageContaining("make both XA data sources");
        });
    }

    /** The second data source is the application's: what it hears is the server's own words. */
    @Test
    void leavesNothingWhenTheEntryCameFirst() {
        Throwable failure =
                catchThrowable(() -> orders.placeAfterEnqueue(Books.NOT_XA, order, List.of(Entries.of(order))));
        assertThat(failure).hasStackTraceContaining("IJ000461");
    }
}
