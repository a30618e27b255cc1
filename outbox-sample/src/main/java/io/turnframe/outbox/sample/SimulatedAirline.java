package io.turnframe.outbox.sample;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The airline at the other end: it remembers every idempotency key and books at most once for it. A repeat of a booked
 * key gets the same answer again. It remembers the latest {@value #MAX_REMEMBERED} keys, in memory.
 */
@ApplicationScoped
public class SimulatedAirline {
    static final int MAX_REMEMBERED = 10_000;

    private static final int BUSY_ANSWERS = 2;

    private final Map<String, Reservation> reservations = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reservation> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /** What the airline does with a request. */
    public enum Answer {
        BOOKED,
        REFUSED,
        BUSY,
        /** It booked, and the caller is never told. */
        NONE
    }

    /**
     * What the airline knows of a key.
     *
     * @param requests how many requests it saw for the key
     * @param reference its reference of the booking, or null if there is none
     * @param answer how it answers the latest request, or null before the first
     */
    public record Reservation(int requests, String reference, Answer answer) {
        private static final Reservation NONE = new Reservation(0, null, null);

        private Reservation next(AirlineBehaviour behaviour) {
            int count = requests + 1;
            return switch (behaviour) {
                case ACCEPT -> new Reservation(count, referenceOrNew(), Answer.BOOKED);
                case REFUSE -> new Reservation(count, null, Answer.REFUSED);
                case BUSY ->
                    count <= BUSY_ANSWERS
                            ? new Reservation(count, null, Answer.BUSY)
                            : new Reservation(count, referenceOrNew(), Answer.BOOKED);
                case SILENT -> new Reservation(count, referenceOrNew(), Answer.NONE);
            };
        }

        private String referenceOrNew() {
            return reference == null
                    ? "PNR-" + UUID.randomUUID().toString().substring(0, 8).toUpperCase(Locale.ROOT)
                    : reference;
        }
    }

    /** Takes one request and says how it is to be answered. */
    synchronized Reservation receive(String key, AirlineBehaviour behaviour) {
        return reservations.merge(key, Reservation.NONE.next(behaviour), (known, first) -> known.next(behaviour));
    }

    /** What is known of a key; zero requests if nothing is. */
    synchronized Reservation reservation(String key) {
        return reservations.getOrDefault(key, Reservation.NONE);
    }
}
