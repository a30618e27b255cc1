package io.turnframe.outbox.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.bind.Jsonb;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormsTest {
    private final Jsonb jsonb = JsonbProvider.create();

    @Test
    void readsABookingThatSaysOnlyWhatItMust() {
        BookingForm form = booking("{\"passenger\": \"Ada\", \"flight\": \"TF 1\"}");

        form.check();
        assertThat(form).isEqualTo(new BookingForm("Ada", "TF 1", null, false));
        assertThat(form.behaviour()).isEqualTo(AirlineBehaviour.ACCEPT);
    }

    @Test
    void readsABookingThatSaysAll() {
        BookingForm form =
                booking("{\"passenger\":\"Ada\",\"flight\":\"TF 1\",\"airline\":\"silent\",\"rollback\":true}");

        assertThat(form.behaviour()).isEqualTo(AirlineBehaviour.SILENT);
        assertThat(form.rollback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{", "17", "{\"rollback\": \"x\", \"passenger\": {}}"})
    void refusesABodyThatIsNoBooking(String body) {
        assertRefused(() -> booking(body), "JSON object with passenger, flight");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                        | passenger is missing",
                "{\"passenger\": \" \", \"flight\": \"TF 1\"}              | passenger is missing",
                "{\"passenger\": \"Ada\"}                                  | flight is missing",
                "{\"passenger\": \"Ada\", \"flight\": \"12345678901\"}     | flight has 11 characters but at most 10",
                "{\"passenger\": \"A\", \"flight\": \"1\", \"airline\": \"x\"} | accept, refuse, busy, silent"
            })
    void namesTheFieldThatIsWrong(String body, String message) {
        assertRefused(() -> booking(body).check(), message);
    }

    @Test
    void readsAJourneyWhoseLegMayBeBookedBefore() {
        UUID before = UUID.randomUUID();

        JourneyForm form =
                journey("{\"passenger\":\"Ada\",\"legs\":[{\"flight\":\"TF 1\"},{\"flight\":\"TF 2\",\"booking\":\""
                        + before + "\"}]}");

        form.check();
        assertThat(form.legs()).containsExactly(new JourneyForm.Leg("TF 1", null), new JourneyForm.Leg("TF 2", before));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"passenger\": \"Ada\"}                                  | legs must be a list of 1 to 20 flights",
                "{\"passenger\": \"Ada\", \"legs\": []}                    | legs must be a list of 1 to 20 flights",
                "{\"passenger\": \"Ada\", \"legs\": [null]}                | flight is missing",
                "{\"passenger\": \"Ada\", \"legs\": [{}]}                  | flight is missing"
            })
    void refusesAJourneyWithoutFlights(String body, String message) {
        assertRefused(() -> journey(body).check(), message);
    }

    @Test
    void asksTheAirlineInSnakeCaseJson() {
        assertThat(jsonb.toJson(new AirlineRequest("b", "Ada", "TF 1", "accept")))
                .isEqualTo("{\"behaviour\":\"accept\",\"booking\":\"b\",\"flight\":\"TF 1\",\"passenger\":\"Ada\"}");
    }

    @Test
    void leavesAbsentValuesOut() {
        var view = new BookingResource.RequestView("o", "k", "pending", 0, null, null, "c", null);

        assertThat(jsonb.toJson(view))
                .contains("\"outbox_id\":\"o\"")
                .doesNotContain("last_failure")
                .doesNotContain("remote_ref");
    }

    private BookingForm booking(String body) {
        return JsonbProvider.read(jsonb, body, BookingForm.class, "passenger, flight");
    }

    private JourneyForm journey(String body) {
        return JsonbProvider.read(jsonb, body, JourneyForm.class, "passenger, legs");
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        TravelDeskException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(400))
                .hasMessageContaining(message);
    }
}
