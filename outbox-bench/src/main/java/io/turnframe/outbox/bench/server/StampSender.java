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
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Confirms at once, and keeps when each entry reached it. */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@Remote(OutboxSender.class)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class StampSender implements OutboxSender {
    /** By key: when the entry came, by the clock of latencies and by that of the wall. */
    static final Map<String, Stamp> STAMPS = new ConcurrentHashMap<>();

    /**
     * One arrival.
     *
     * @param nanos by {@link System#nanoTime}
     * @param wall by the clock that the database on this machine has, too
     */
    record Stamp(long nanos, Instant wall) {}

    @Override
    public Dispatched send(OutboxEntry entry) {
        STAMPS.put(entry.idempotencyKey(), new Stamp(System.nanoTime(), Instant.now()));
        return Dispatched.completed();
    }
}
