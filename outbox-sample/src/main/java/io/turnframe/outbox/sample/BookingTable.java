package io.turnframe.outbox.sample;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The travel desk's own table, beside the outbox's in the same database. Every call joins the caller's transaction. */
@ApplicationScoped
class BookingTable {
    // Plain types mean the same on every database: ids as text, instants in milliseconds since 1970.
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS travel_booking (
              id varchar(36) NOT NULL PRIMARY KEY,
              passenger varchar(100) NOT NULL,
              flight varchar(10) NOT NULL,
              airline varchar(10) NOT NULL,
              booked_at bigint NOT NULL)""";

    private static final String INSERT =
            "INSERT INTO travel_booking (id, passenger, flight, airline, booked_at) VALUES (?, ?, ?, ?, ?)";

    private static final String FIND =
            "SELECT id, passenger, flight, airline, booked_at FROM travel_booking WHERE id = ?";

    private static final String LATEST =
            "SELECT id, passenger, flight, airline, booked_at FROM travel_booking ORDER BY booked_at DESC, id";

    // The reference of web.xml, because servers bind the data source under different names (see jboss-web.xml).
    @Resource(lookup = "java:comp/env/jdbc/OutboxDS")
    private DataSource dataSource;

    /** Creates the table unless it is there. */
    void create() {
        run(CREATE, PreparedStatement::execute);
    }

    void insert(Booking booking) {
        run(INSERT, statement -> {
            statement.setString(1, booking.id().toString());
            statement.setString(2, booking.passenger());
            statement.setString(3, booking.flight());
            statement.setString(4, booking.airline().label());
            statement.setLong(5, booking.bookedAt().toEpochMilli());
            return statement.executeUpdate();
        });
    }

    Optional<Booking> find(UUID id) {
        return run(FIND, statement -> {
            statement.setString(1, id.toString());
            return read(statement).stream().findFirst();
        });
    }

    /** The latest bookings, newest first. */
    List<Booking> latest(int limit) {
        return run(LATEST, statement -> {
            statement.setMaxRows(limit);
            return read(statement);
        });
    }

    private static List<Booking> read(PreparedStatement statement) throws SQLException {
        List<Booking> found = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.add(new Booking(
                        UUID.fromString(row.getString(1)),
                        row.getString(2),
                        row.getString(3),
                        AirlineBehaviour.ofLabel(row.getString(4)).orElseThrow(),
                        Instant.ofEpochMilli(row.getLong(5))));
            }
        }
        return found;
    }

    private <T> T run(String sql, Work<T> work) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.with(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("the booking table did not answer: " + e.getMessage(), e);
        }
    }

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }
}
