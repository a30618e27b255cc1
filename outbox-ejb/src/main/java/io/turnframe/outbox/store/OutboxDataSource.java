package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Finds the data source of the outbox, {@code jdbc/OutboxDS}. */
public final class OutboxDataSource {
    /**
     * WildFly's name; that under which Payara and GlassFish give JPA its connections; that of Liberty. In a transaction with
     * JPA in it, started while another is suspended, the plain name would have Payara delist JPA's connection from the
     * suspended one: with an XA data source on PostgreSQL the commit fails and the connection is lost to the pool.
     */
    private static final List<String> NAMES = List.of("java:/jdbc/OutboxDS", "jdbc/OutboxDS__pm", "jdbc/OutboxDS");

    private OutboxDataSource() {}

    /**
     * The data source; a connection from it joins the caller's transaction.
     *
     * @throws OutboxException with code {@link OutboxException#STORE_UNAVAILABLE} if the server has none
     */
    public static DataSource lookup() {
        NamingException last = null;
        for (String name : NAMES) {
            try {
                return (DataSource) new InitialContext().lookup(name);
            } catch (NamingException notThisServer) {
                last = notThisServer;
            }
        }
        throw new OutboxException(
                OutboxException.STORE_UNAVAILABLE,
                "no data source jdbc/OutboxDS: create it on the server (on WildFly with the JNDI name "
                        + "java:/jdbc/OutboxDS)",
                null,
                last);
    }
}
