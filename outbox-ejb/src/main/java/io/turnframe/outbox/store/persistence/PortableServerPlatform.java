package io.turnframe.outbox.store.persistence;

import jakarta.transaction.TransactionManager;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.persistence.platform.server.ServerPlatformBase;
import org.eclipse.persistence.sessions.DatabaseSession;
import org.eclipse.persistence.sessions.ExternalTransactionController;
import org.eclipse.persistence.transaction.JTATransactionController;

/** EclipseLink's way into JTA on any server: it looks where WildFly, Payara, GlassFish and Liberty keep the manager. */
public class PortableServerPlatform extends ServerPlatformBase {
    /** @param session the session it serves */
    public PortableServerPlatform(DatabaseSession session) {
        super(session);
    }

    @Override
    public Class<? extends ExternalTransactionController> getExternalTransactionControllerClass() {
        if (externalTransactionControllerClass == null) {
            externalTransactionControllerClass = Controller.class;
        }
        return externalTransactionControllerClass;
    }

    /** Finds the transaction manager. */
    public static class Controller extends JTATransactionController {
        private static final List<String> NAMES =
                List.of("java:jboss/TransactionManager", "java:appserver/TransactionManager");

        private static final String LIBERTY = "com.ibm.tx.jta.TransactionManagerFactory";

        @Override
        protected TransactionManager acquireTransactionManager() throws Exception {
            InitialContext context = new InitialContext();
            for (String name : NAMES) {
                try {
                    return (TransactionManager) context.lookup(name);
                } catch (NamingException notThisServer) {
                    continue;
                }
            }
            try {
                return (TransactionManager) Class.forName(LIBERTY)
                        .getMethod("getTransactionManager")
                        .invoke(null);
            } catch (ClassNotFoundException unknownServer) {
                throw new NamingException("no transaction manager at " + NAMES + " and no " + LIBERTY);
            }
        }
    }
}
