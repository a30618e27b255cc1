package io.turnframe.outbox.sample;

import static io.turnframe.outbox.sample.SimulatedAirline.Answer.BOOKED;
import static io.turnframe.outbox.sample.SimulatedAirline.Answer.BUSY;
import static io.turnframe.outbox.sample.SimulatedAirline.Answer.NONE;
import static io.turnframe.outbox.sample.SimulatedAirline.Answer.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.sample.SimulatedAirline.Reservation;
import org.junit.jupiter.api.Test;

class SimulatedAirlineTest {
    private final SimulatedAirline airline = new SimulatedAirline();

    @Test
    void answersARepeatedKeyWithTheSameReference() {
        Reservation first = airline.receive("k", AirlineBehaviour.ACCEPT);
        Reservation second = airline.receive("k", AirlineBehaviour.ACCEPT);

        assertThat(first.answer()).isEqualTo(BOOKED);
        assertThat(first.reference()).startsWith("PNR-");
        assertThat(second.reference()).isEqualTo(first.reference());
        assertThat(airline.reservation("k").requests()).isEqualTo(2);
    }

    @Test
    void givesEachKeyItsOwnReference() {
        assertThat(airline.receive("a", AirlineBehaviour.ACCEPT).reference())
                .isNotEqualTo(airline.receive("b", AirlineBehaviour.ACCEPT).reference());
    }

    @Test
    void refusesEveryTime() {
        assertThat(airline.receive("k", AirlineBehaviour.REFUSE).answer()).isEqualTo(REFUSED);
        assertThat(airline.receive("k", AirlineBehaviour.REFUSE)).isEqualTo(new Reservation(2, null, REFUSED));
    }

    @Test
    void isBusyTwiceAndThenBooks() {
        assertThat(airline.receive("k", AirlineBehaviour.BUSY).answer()).isEqualTo(BUSY);
        assertThat(airline.receive("k", AirlineBehaviour.BUSY).answer()).isEqualTo(BUSY);
        assertThat(airline.receive("k", AirlineBehaviour.BUSY).answer()).isEqualTo(BOOKED);
        assertThat(airline.reservation("k").reference()).startsWith("PNR-");
    }

    @Test
    void booksInSilence() {
        assertThat(airline.receive("k", AirlineBehaviour.SILENT).answer()).isEqualTo(NONE);
        assertThat(airline.reservation("k").reference()).startsWith("PNR-");
    }

    @Test
    void knowsNothingOfAKeyItNeverSaw() {
        assertThat(airline.reservation("k")).isEqualTo(new Reservation(0, null, null));
    }

    @Test
    void forgetsTheOldestKeysWhenThereAreTooMany() {
        for (int i = 0; i <= SimulatedAirline.MAX_REMEMBERED; i++) {
            airline.receive("k" + i, AirlineBehaviour.ACCEPT);
        }

        assertThat(airline.reservation("k0").requests()).isZero();
        assertThat(airline.reservation("k1").requests()).isEqualTo(1);
    }
}
