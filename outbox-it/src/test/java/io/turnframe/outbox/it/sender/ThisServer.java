package io.turnframe.outbox.it.sender;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** The server that a test runs in, whichever it is. */
final class ThisServer {
    private ThisServer() {}

    /** The outbox's. */
    static DataSource dataSource() throws NamingException {
        try {
            return InitialContext.doLookup("java:/jdbc/OutboxDS");
        } catch (NamingException notWildFly) {
            return InitialContext.doLookup("jdbc/OutboxDS");
        }
    }

    /** Where it answers. */
    static String url(String path) {
        return "http://localhost:" + System.getProperty("it.http-port") + path;
    }
}
