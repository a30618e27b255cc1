package io.turnframe.outbox.store.persistence;

import io.turnframe.outbox.store.Database;
import io.turnframe.outbox.store.OutboxDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.eclipse.persistence.config.SessionCustomizer;
import org.eclipse.persistence.internal.databaseaccess.DatabasePlatform;
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
        DatabasePlatform platform = Database.of(dataSource(session)).newPlatform();
        // Literals stay in the text of a statement, so that the planner can match them with a partial index.
        platform.setShouldBindLiterals(false);
        session.getLogin().usePlatform(platform);
    }

    private static DataSource dataSource(Session session) {
        if (session.getLogin().getConnector() instanceof JNDIConnector connector && connector.getDataSource() != null) {
            return connector.getDataSource();
        }
        return OutboxDataSource.lookup();
    }
}
