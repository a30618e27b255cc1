package io.turnframe.outbox.it.assembly.senders;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.TransactionalSender;
import io.turnframe.outbox.store.Destination;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * Writes into a table over the outbox's own data source. As the payload says it is unsure afterwards, at the first attempt, or
 * takes longer than it has.
 */
@ApplicationScoped
@Destination("ledger")
public class LedgerSender implements TransactionalSender {
    @Resource(lookup = "java:/jdbc/OutboxDS")
    private DataSource dataSource;

    @Resource
    private TransactionSynchronizationRegistry transactions;

    @Override
    public Dispatched send(OutboxEntry entry) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO it_ledger (id) VALUES (?)")) {
            insert.setObject(1, entry.outboxId());
            insert.executeUpdate();
            if (entry.attemptCount() == 1 && entry.payload().equals("\"unsure\"")) {
                return Dispatched.unknown();
            }
            if (entry.attemptCount() == 1 && entry.payload().equals("\"slow\"")) {
                new CountDownLatch(1).await();
            }
            return Dispatched.completed(String.valueOf(transactions.getTransactionKey() != null));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException deadline) {
            return Dispatched.completed("too late");
        }
    }
}
