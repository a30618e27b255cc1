package io.turnframe.outbox.bench.server;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Remote;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.concurrent.TimeUnit;

/** A remote that takes {@value #MILLIS} ms to answer; of a payload that says so, for {@value #HANGS_SECONDS} s. */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class SlowSender implements OutboxSender {
    static final int MILLIS = 20;

    static final int HANGS_SECONDS = 60;

    /** The key of an entry whose remote hangs begins with it. */
    static final String HANGS = "hangs";

    @Override
    public Dispatched send(OutboxEntry entry) {
        try {
            if (entry.idempotencyKey().startsWith(HANGS)) {
                TimeUnit.SECONDS.sleep(HANGS_SECONDS);
            } else {
                TimeUnit.MILLISECONDS.sleep(MILLIS);
            }
            return Dispatched.completed();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Dispatched.unknown();
        }
    }
}
