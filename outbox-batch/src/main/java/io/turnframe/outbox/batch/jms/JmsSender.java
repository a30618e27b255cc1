package io.turnframe.outbox.batch.jms;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.TransactionalSender;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;

/**
 * Sends an entry as a text message: its payload, and beside it what {@link JmsRoute#propertiesOf} says. In a transaction the
 * message is in the queue when that has committed, without one when this returns.
 */
public final class JmsSender implements TransactionalSender {
    /** There is no connection: no message has left. */
    static final String NOT_CONNECTED = "turnframe.jms.not_connected";

    private static final Logger LOG = Logger.getLogger(JmsSender.class.getName());

    private final JmsRoute route;
    private final ConnectionFactory factory;
    private final Destination destination;

    JmsSender(JmsRoute route, ConnectionFactory factory, Destination destination) {
        this.route = route;
        this.factory = factory;
        this.destination = destination;
    }

    /**
     * Looks up what the route names.
     *
     * @param prefix of the destination's keys, for messages
     * @throws IllegalStateException naming key, name and remedy if something is not there, or is something else
     * @throws NamingException if a name cannot be looked up
     */
    public static JmsSender lookUp(String prefix, JmsRoute route) throws NamingException {
        return new JmsSender(
                route,
                lookUp(prefix + "connection-factory", route.factories(), ConnectionFactory.class),
                lookUp(route.key(), List.of(route.place()), Destination.class));
    }

    private static <T> T lookUp(String key, List<String> names, Class<T> type) throws NamingException {
        for (String name : names) {
            try {
                Object found = new InitialContext().lookup(name);
                if (type.isInstance(found)) {
                    return type.cast(found);
                }
                throw new IllegalStateException(key + " is '" + name + "', which is no " + type.getSimpleName()
                        + " of Jakarta Messaging; mend the name");
            } catch (NameNotFoundException absent) {
                LOG.log(Level.FINE, "nothing is bound under {0}", name);
            }
        }
        throw new IllegalStateException(key + " is '" + String.join("' or '", names)
                + "', and nothing is bound under that name; create it on the server, or mend the name");
    }

    /** @throws JMSRuntimeException if the message may have left, unless it was to leave with a transaction */
    @Override
    public Dispatched send(OutboxEntry entry) {
        JMSContext connected;
        try {
            connected = factory.createContext();
        } catch (JMSRuntimeException away) {
            LOG.log(Level.FINE, "no connection to send messages", away);
            return Dispatched.unavailable(NOT_CONNECTED);
        }
        try (JMSContext context = connected) {
            TextMessage message = context.createTextMessage(entry.payload());
            for (Map.Entry<String, String> property : route.propertiesOf(entry).entrySet()) {
                message.setStringProperty(property.getKey(), property.getValue());
            }
            context.createProducer().send(destination, message);
            return Dispatched.completed(message.getJMSMessageID());
        } catch (JMSException failed) {
            throw new JMSRuntimeException(failed.getMessage(), failed.getErrorCode(), failed);
        }
    }
}
