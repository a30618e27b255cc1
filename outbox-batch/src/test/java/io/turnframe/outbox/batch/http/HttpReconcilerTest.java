package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.batch.http.hostile.HostileServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpReconcilerTest {
    private static final String BODY = "{\"state\":\"booked\",\"ref\":\"PNR-123\"}";
    private static final String FOUND = "200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<String> answer = new AtomicReference<>(FOUND);
    private HostileServer server;

    @BeforeEach
    void start() throws IOException {
        server = new HostileServer(ServerSocketFactory.getDefault(), c -> {
            asked.add(c.readRequest());
            c.write("HTTP/1.1 " + answer.get());
            c.drain();
        });
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void asksForTheEntryByItsKeyOrItsReference() {
        assertThat(reconcile(Map.of("token", "t0k3n"), "/requests?key={idempotency_key}", null))
                .isEqualTo(Reconciled.completed());
        assertThat(reconcile(Map.of(), "/bookings/{remote_ref}", "A/1")).isEqualTo(Reconciled.completed());
        assertThat(asked.get(0))
                .startsWith("GET /requests?key=key%201 HTTP/1.1\r\n")
                .contains("Bearer t0k3n");
        assertThat(asked.get(1)).startsWith("GET /bookings/A%2F1 HTTP/1.1\r\n");
    }

    @Test
    void doesNotAskWithoutTheReferenceThatItNeeds() {
        assertThat(reconcile(Map.of(), "/bookings/{remote_ref}", null)).isEqualTo(Reconciled.unresolved());
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "200, COMPLETED",
        "204, COMPLETED",
        "404, UNRESOLVED",
        "301, UNRESOLVED",
        "401, UNRESOLVED",
        "403, UNRESOLVED",
        "410, UNRESOLVED",
        "429, UNRESOLVED",
        "500, UNRESOLVED",
        "503, UNRESOLVED"
    })
    void goesByTheStatus(int status, Reconciled.Kind kind) {
        answer.set(status + " Some\r\n" + (status == 204 ? "" : "Content-Length: 0\r\n") + "\r\n");
        assertThat(reconcile(Map.of(), "/{outbox_id}", null).kind()).isEqualTo(kind);
    }

    @Test
    void authorisesAResendOnlyWhereNotFoundIsAuthoritative() {
        answer.set("404 Not Found\r\nContent-Length: 0\r\n\r\n");
        assertThat(reconcile(Map.of(), "/{outbox_id}", null)).isEqualTo(Reconciled.unresolved());
        assertThat(reconcile(Map.of("authoritative", "true"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.resend());
    }

    @Test
    void goesByWhatTheDestinationSaysOfAStatus() {
        answer.set("410 Gone\r\nContent-Length: 0\r\n\r\n");
        assertThat(reconcile(Map.of("reconcile-answers", "410=refused"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.failed("turnframe.http.refused"));
        answer.set(FOUND);
        assertThat(reconcile(Map.of("reconcile-answers", "2xx=other"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.unresolved());
    }

    @ParameterizedTest
    @CsvSource({
        "booked=found, COMPLETED",
        "booked=refused, FAILED",
        "booked=other, UNRESOLVED",
        "booked=not-found, RESEND",
        "other=found, UNRESOLVED"
    })
    void goesByTheStateInTheBody(String states, Reconciled.Kind kind) {
        Map<String, String> settings =
                Map.of("reconcile-state-pointer", "/state", "reconcile-states", states, "authoritative", "true");
        assertThat(reconcile(settings, "/{outbox_id}", null).kind()).isEqualTo(kind);
    }

    @Test
    void keepsTheReferenceOfTheBody() {
        assertThat(reconcile(Map.of("reconcile-reference-pointer", "/ref"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.completed("PNR-123"));
        assertThat(reconcile(Map.of("reference-pointer", "/ref"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.completed("PNR-123"));
    }

    /** Not even where not found is authoritative: what breaks off says nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"", "404 Not Found\r\nContent-Length: 9\r\n\r\nhalf", "404", "FOUND"})
    void takesNothingFromAnAnswerThatIsNotWhole(String cut) throws IOException {
        try (HostileServer cutting = new HostileServer(ServerSocketFactory.getDefault(), c -> {
                    c.readRequest();
                    c.write("HTTP/1.1 " + cut);
                });
                HttpReconciler reconciler =
                        reconciler(Map.of("authoritative", "true"), cutting.port(), "/{outbox_id}")) {
            assertThat(reconciler.reconcile(unknown(null))).isEqualTo(Reconciled.unresolved());
        }
    }

    @Test
    void takesNothingFromARemoteThatIsNotThere() throws IOException {
        server.close();
        assertThat(reconcile(Map.of("authoritative", "true"), "/{outbox_id}", null))
                .isEqualTo(Reconciled.unresolved());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reconcile-answers=404=lost | reconcile-answers is '404=lost'; write a list such as 404=not-found",
                "reconcile-state-pointer=/s | reconcile-state-pointer and outbox.destination.airline.reconcile-states"
                        + " go",
                "reconcile-states=a=found   | reconcile-state-pointer and outbox.destination.airline.reconcile-states"
                        + " go",
                "authoritative=perhaps      | authoritative is 'perhaps'; write true or false"
            })
    void refusesWhatItCannotMean(String setting, String message) {
        Map<String, String> settings = new HashMap<>();
        settings.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reconciler(settings, 1, "/"))
                .withMessageContaining(message);
    }

    private Reconciled reconcile(Map<String, String> settings, String path, String remoteRef) {
        try (HttpReconciler reconciler = reconciler(settings, server.port(), path)) {
            return reconciler.reconcile(unknown(remoteRef));
        }
    }

    private static HttpReconciler reconciler(Map<String, String> settings, int port, String path) {
        String url = "http://localhost:" + port + path;
        return new HttpReconciler(HttpQuestion.read(Routes.PREFIX, url, Routes.values(settings)));
    }

    private static OutboxRecord unknown(String remoteRef) {
        return new OutboxRecord(OutboxEntry.pending(new UUID(1, 1), "airline", "key 1", "{}"), null, null, remoteRef);
    }
}
