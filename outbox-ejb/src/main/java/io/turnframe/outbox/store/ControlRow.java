package io.turnframe.outbox.store;

import io.turnframe.outbox.store.persistence.InstantConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A row of {@code tf_outbox_destination}. Its lock makes claims on a limited destination one after the other. */
@Entity
@Table(name = "tf_outbox_destination")
public class ControlRow {
    private static final long MICROS = 1_000_000;

    /** The share of a second's sends that may leave at once: claims of one row each would cost more than they send. */
    private static final double BURST_SECONDS = 0.1;

    @Id
    @Column(name = "destination")
    private String destination;

    @Column(name = "held")
    private boolean held;

    @Column(name = "concurrency")
    private Integer concurrency;

    @Column(name = "rate")
    private Double rate;

    /** When the next send is permitted, as long as there is a rate; earlier times have piled up a burst. */
    @Convert(converter = InstantConverter.class)
    @Column(name = "next_permit")
    private Instant nextPermit;

    @Column(name = "note")
    private String note;

    @Convert(converter = InstantConverter.class)
    @Column(name = "changed_at")
    private Instant changedAt;

    @Column(name = "changed_by")
    private String changedBy;

    /** For the persistence provider. */
    protected ControlRow() {}

    void change(DestinationControl wanted, Instant now) {
        held = wanted.held();
        concurrency = wanted.concurrency();
        rate = wanted.rate();
        nextPermit = null;
        note = wanted.note();
        changedBy = wanted.changedBy();
        changedAt = now;
    }

    DestinationControl toControl() {
        return new DestinationControl(destination, held, concurrency, rate(), note, changedBy, changedAt);
    }

    /**
     * Claims that may be taken now.
     *
     * @param claimed those that are held, over all nodes
     */
    int permits(int wanted, long claimed, Instant now) {
        if (held) {
            return 0;
        }
        long permits = wanted;
        if (concurrency != null) {
            permits = Math.min(permits, concurrency - claimed);
        }
        if (rate != null) {
            long late = Duration.between(start(now), now).toNanos() / 1_000;
            permits = late < 0 ? 0 : Math.min(permits, late / interval() + 1);
        }
        return (int) Math.max(0, permits);
    }

    /** Counts {@code taken} claims against the rate. */
    void take(int taken, Instant now) {
        if (rate != null && taken > 0) {
            nextPermit = start(now).plus(taken * interval(), ChronoUnit.MICROS);
        }
    }

    /** How long until the rate permits another claim; null if the rate is not what it waits for. */
    Duration nextPermitIn(Instant now) {
        return rate == null || nextPermit == null || !nextPermit.isAfter(now)
                ? null
                : Duration.between(now, nextPermit);
    }

    /** The permits begin here: not further back than a burst. */
    private Instant start(Instant now) {
        long burst = Math.max(1, (long) (rate() * BURST_SECONDS));
        Instant earliest = now.minus((burst - 1) * interval(), ChronoUnit.MICROS);
        return nextPermit == null || nextPermit.isBefore(earliest) ? earliest : nextPermit;
    }

    /** Microseconds from one permit to the next: so few that they can be multiplied by any number of claims. */
    private long interval() {
        return Math.max(1, Math.round(MICROS / rate()));
    }

    /** Null for none. Somebody may have written one into the table that could not have been said. */
    private Double rate() {
        return rate == null
                ? null
                : Double.valueOf(Math.min(DestinationControl.MAX_RATE, Math.max(DestinationControl.MIN_RATE, rate)));
    }
}
