package io.turnframe.outbox.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The example of docs/testing-your-code.md, to the letter. */
class BookingServiceTest {
    private final InMemoryOutboxStore outbox = new InMemoryOutboxStore();
    private final BookingService service = new BookingService(outbox);
    private final UUID booking = UUID.randomUUID();

    @Test
    void asksTheAirlineForTheSeat() {
        service.book(booking, "TF 17");

        List<OutboxRecord> requests = outbox.listForCommand(booking);
        assertEquals(1, requests.size());
        OutboxEntry request = requests.get(0).entry();
        assertEquals("airline", request.destination());
        assertEquals("booking-" + booking, request.idempotencyKey());
        assertEquals("{\"flight\":\"TF 17\"}", request.payload());
    }

    @Test
    void asksForNothingWhenTheTransactionRollsBack() {
        assertThrows(
                IllegalArgumentException.class, () -> outbox.inTransaction(() -> service.book(booking, "no flight")));

        assertTrue(outbox.records().isEmpty());
    }

    @Test
    void tellsThatTheAirlineHasConfirmed() {
        service.book(booking, "TF 17");
        assertEquals("requested", service.progress(booking));

        // What the dispatcher would do.
        OutboxEntry request = outbox.claimDue(Instant.now(), 1, "test").get(0);
        outbox.markCompleted(request.outboxId());

        assertEquals("booked", service.progress(booking));
    }

    /** The code under test: gets its outbox handed in. */
    static final class BookingService {
        private final Outbox outbox;

        BookingService(Outbox outbox) {
            this.outbox = outbox;
        }

        void book(UUID booking, String flight) {
            String payload = "{\"flight\":\"" + flight + "\"}";
            outbox.enqueue(OutboxEntry.pending(booking, "airline", "booking-" + booking, payload));
            if (!flight.startsWith("TF ")) {
                throw new IllegalArgumentException("no flight of ours: " + flight);
            }
        }

        String progress(UUID booking) {
            OutboxStatus status = outbox.listForCommand(booking).get(0).entry().status();
            return status == OutboxStatus.COMPLETED ? "booked" : "requested";
        }
    }
}
