package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.PersistenceException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The servers' and databases' own words; that they still say so is seen on the servers. */
class StoreFailureTest {
    @Test
    void tellsThatTheDataSourceCannotJoin() {
        assertThat(codeOf(new SQLException(
                        "IJ000457: … managed connection=org.jboss.jca.adapters.jdbc.local.LocalManagedConnection@1",
                        new IllegalStateException("IJ000461: Could not enlist in transaction"))))
                .isEqualTo("turnframe.store.not_enlisted");
        assertThat(codeOf(new SQLException(
                        "Error in allocating a connection. Cause: Local transaction already has 1 non-XA Resource:"
                                + " cannot add more resources.")))
                .isEqualTo("turnframe.store.not_enlisted");
    }

    /** Its branch could not be started: mostly the database is away. */
    @Test
    void doesNotTakeAnXaDataSourceForOneThatIsNot() {
        assertThat(codeOf(new SQLException(
                        "IJ000457: … managed connection=org.jboss.jca.adapters.jdbc.xa.XAManagedConnection@1",
                        new IllegalStateException("IJ000461: Could not enlist in transaction"))))
                .isEqualTo("turnframe.store.unavailable");
    }

    @Test
    void tellsThatAnotherTransactionHoldsTheRow() {
        assertThat(codeOf(new SQLException("canceling statement due to lock timeout", "55P03")))
                .isEqualTo("turnframe.store.busy");
        assertThat(codeOf(new SQLException("Lock wait timeout exceeded", "HY000", 1205)))
                .isEqualTo("turnframe.store.busy");
    }

    @Test
    void callsEverythingElseUnavailable() {
        assertThat(codeOf(new SQLException("Connection refused", "08001"))).isEqualTo("turnframe.store.unavailable");
        assertThat(codeOf(null)).isEqualTo("turnframe.store.unavailable");
    }

    private static String codeOf(SQLException cause) {
        return StoreFailure.of(new PersistenceException(cause)).code();
    }
}
