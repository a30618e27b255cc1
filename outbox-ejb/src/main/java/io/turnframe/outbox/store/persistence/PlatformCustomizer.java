package io.turnframe.outbox.store.persistence;

import io.turnframe.outbox.store.Database;
import io.turnframe.outbox.store.OutboxDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.sessions.JNDIConnector;
import org.eclipse.persistence.sessions.Session;

/**
 * Chooses the database platform from the connection, so that one EAR serves every database: the property
 * {@code eclipselink.target-database} would fix it when the EAR is built.
 */
@SuppressWarnings("removal") // Its successor is not in every EclipseLink that servers bring.
public class PlatformCustomizer implements SessionCustomizer {
    @Override
    public void customize(Session session) throws SQLException {
        session.getLogin().usePlatform(Database.of(dataSource(session)).newPlatform());
    }

    private static DataSource dataSource(Session session) {
        if (session.getLogin().getConnector() instanceof JNDIConnector connector && connector.getDataSource() != null) {
            return connector.getDataSource();
        }
        return OutboxDataSource.lookup();
    }
}
