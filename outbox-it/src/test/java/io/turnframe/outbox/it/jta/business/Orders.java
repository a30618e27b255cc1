package io.turnframe.outbox.it.jta.business;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.List;
import java.util.UUID;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** An order and its entries, in one transaction. */
@Stateless
public class Orders {
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void open(Books books) {
        books.open();
    }

    public void place(Books books, UUID order, List<OutboxEntry> entries) {
        books.write(order);
        outbox().enqueueAll(entries);
    }

    /** As {@link #place}, in the other order. */
    public void placeAfterEnqueue(Books books, UUID order, List<OutboxEntry> entries) {
        outbox().enqueueAll(entries);
        books.write(order);
    }

    /** Does all that {@link #place} does, and then fails as a rule may that is checked last. */
    public void placeAndFail(Books books, UUID order, List<OutboxEntry> entries) {
        place(books, order, entries);
        throw new EJBException("the last rule refused the order");
    }

    /** As {@link #place}, but stopped at {@code point} until the server is killed. */
    public void placeAndHang(Books books, UUID order, List<OutboxEntry> entries, Hang.Point point) {
        books.write(order);
        Hang hang = Hang.in(order, point);
        outbox().enqueueAll(entries);
        hang.beforeEnd();
    }

    /** Whether the business tables have the order. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public boolean isWritten(Books books, UUID order) {
        return books.has(order);
    }

    /** How many entries the outbox has for the order. */
    public int entries(UUID order) {
        return outbox().listForCommand(order).size();
    }

    /** Looked up at each call: the two applications come up in any order. */
    private static Outbox outbox() {
        try {
            return InitialContext.doLookup(Outbox.JNDI_NAME);
        } catch (NamingException absent) {
            throw new EJBException("the outbox is not there", absent);
        }
    }
}
