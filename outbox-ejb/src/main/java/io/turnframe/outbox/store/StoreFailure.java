package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a failure of the database means to the caller. */
final class StoreFailure {
    /** PostgreSQL's lock timeout, its cancelled statement (a query timeout too), MariaDB's, and H2's lock timeout. */
    private static final Set<String> GAVE_UP_WAITING = Set.of("55P03", "57014", "70100", "HYT00");

    /** MariaDB's lock timeout, which has no SQLSTATE of its own. */
    private static final int MARIADB_LOCK_WAIT_TIMEOUT = 1205;

    /**
     * How WildFly and Payara say that a second resource that cannot be prepared was not let into the transaction: all
     * words of one of these. WildFly has its better words, ARJUNA012140, in the log alone.
     */
    private static final List<List<String>> SECOND_NON_XA =
            List.of(List.of("IJ000461", "LocalManagedConnection"), List.of("non-XA Resource"));

    /** The class of SQLSTATEs that say a value cannot be held as it is. */
    private static final String DATA_EXCEPTION = "22";

    private StoreFailure() {}

    /** The exception with the code that tells what to do. */
    static OutboxException of(Exception failure) {
        if (isSecondNonXa(failure)) {
            return new OutboxException(
                    OutboxException.NOT_ENLISTED,
                    "the data source jdbc/OutboxDS cannot join this transaction: it and another data source in it are"
                            + " both not XA, so that they could not commit together; make both XA data sources, or use"
                            + " jdbc/OutboxDS for the business tables too",
                    null,
                    failure);
        }
        Optional<String> refusedValue = refusedValue(failure);
        if (refusedValue.isPresent()) {
            // Without the cause, since databases quote the value.
            return new InvalidRecordException("the database cannot hold a value of it as its column is (SQLSTATE "
                    + refusedValue.get() + "); nothing is written, and the transaction will be rolled back");
        }
        if (causes(failure).anyMatch(StoreFailure::isGivenUp)) {
            return new OutboxException(
                    OutboxException.STORE_BUSY,
                    "another transaction holds the entry and did not end in time; if it is in doubt, its server's"
                            + " recovery ends it; try again",
                    null,
                    failure);
        }
        return new OutboxException(
                OutboxException.STORE_UNAVAILABLE, "the database did not do it; see the cause", null, failure);
    }

    private static boolean isSecondNonXa(Throwable failure) {
        String messages =
                causes(failure).map(cause -> String.valueOf(cause.getMessage())).collect(Collectors.joining("\n"));
        return SECOND_NON_XA.stream().anyMatch(words -> words.stream().allMatch(messages::contains));
    }

    /** The SQLSTATE of a value that was refused. */
    private static Optional<String> refusedValue(Throwable failure) {
        return causes(failure)
                .filter(SQLException.class::isInstance)
                .map(cause -> ((SQLException) cause).getSQLState())
                .filter(state -> state != null && state.startsWith(DATA_EXCEPTION))
                .findFirst();
    }

    private static boolean isGivenUp(Throwable cause) {
        return cause instanceof SQLException refused
                && (GAVE_UP_WAITING.contains(String.valueOf(refused.getSQLState()))
                        || refused.getErrorCode() == MARIADB_LOCK_WAIT_TIMEOUT);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }
}
