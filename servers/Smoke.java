import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonStructure;
import java.io.IOException;
import java.io.StringReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes one booking of each kind at a running travel desk, waits for each ending and prints a table. Run by
 * {@code ./run --smoke}; exits 0 if every booking ended as it must, else 1 with the reasons.
 *
 * <p>Arguments: the travel desk's URL, and the seconds in which no further request may reach the airline once an outcome
 * is unknown (a claim timeout and three ticks).
 */
public final class Smoke {
    private static final Duration EACH_ENDING = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String ROW = "%-14s %-16s %8s  %-28s %-14s %8s  %s%n";

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final String desk;
    private final Duration quiet;
    private final List<String> table = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    private Smoke(String desk, Duration quiet) {
        this.desk = desk;
        this.quiet = quiet;
    }

    public static void main(String[] args) throws Exception {
        try {
            Smoke smoke = new Smoke(args[0], Duration.ofSeconds(Long.parseLong(args[1])));
            smoke.run();
            smoke.report();
        } catch (Failure | ConnectException e) {
            System.err.println("smoke: " + e.getMessage());
            System.exit(1);
        }
    }

    private void run() throws IOException, InterruptedException {
        String accepted = book("accept");
        String refused = book("refuse");
        String busy = book("busy");
        String silent = book("silent");
        String rolledBack = bookAndRollBack();

        JsonObject first = check("accepted", accepted, "completed", 1, 1);
        check("refused", refused, "failed", 1, 1);
        check("busy twice", busy, "completed", 3, 3);

        Instant unknownSince = awaitUnknown(silent);
        // The repeated leg has ended by now: whatever the journey does to it would show as a second request.
        String newLeg = bookJourney(accepted);
        check("new leg", newLeg, "completed", 1, 1);

        System.out.printf("Waiting %d s: nothing more may be sent for the unanswered booking.%n", quiet.toSeconds());
        sleepUntil(unknownSince.plus(quiet));
        check("never answers", silent, "outcome_unknown", 1, 1);
        check("repeated leg", accepted, "completed", 1, 1);
        if (!first.equals(request(accepted))) {
            reasons.add("repeated leg: the entry of booking " + accepted + " changed");
        }
        checkNothingLeft(rolledBack);
    }

    private void report() {
        System.out.println();
        System.out.printf(ROW, "booking", "status", "attempts", "last failure", "reference", "requests", "verdict");
        table.forEach(System.out::print);
        System.out.println();
        if (!reasons.isEmpty()) {
            throw new Failure(String.join(System.lineSeparator() + "smoke: ", reasons));
        }
        System.out.println("smoke: every booking ended as it must");
    }

    /** Waits until the booking's entry is at its end, then compares it with what must be. */
    private JsonObject check(String kind, String booking, String status, int attempts, int requests)
            throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(EACH_ENDING);
        JsonObject entry = request(booking);
        while (!List.of("completed", "failed", "outcome_unknown").contains(entry.getString("status"))
                && Instant.now().isBefore(deadline)) {
            Thread.sleep(POLL.toMillis());
            entry = request(booking);
        }
        JsonObject seen = get("/api/airline/requests/booking-" + booking);
        String failure = entry.getString("last_failure", "");
        String kept = entry.getString("remote_ref", "");
        String given = seen.getString("reference", "");

        List<String> wrong = new ArrayList<>();
        expect(wrong, "status", status, entry.getString("status"));
        expect(wrong, "attempts", attempts, entry.getInt("attempts"));
        expect(wrong, "requests at the airline", requests, seen.getInt("requests"));
        if (status.equals("completed")) {
            expect(wrong, "reference", given, kept);
        }
        if (status.equals("failed") && !failure.matches("[a-z0-9_]+(\\.[a-z0-9_]+)+")) {
            wrong.add("last failure '" + failure + "' is no stable code");
        }
        row(kind, entry.getString("status"), entry.getInt("attempts"), failure, kept, seen.getInt("requests"), wrong);
        return entry;
    }

    private void checkNothingLeft(String booking) throws IOException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        int status = send(HttpRequest.newBuilder(uri("/api/bookings/" + booking)).build()).statusCode();
        JsonArray entries = array("/api/bookings/" + booking + "/requests");
        int requests = get("/api/airline/requests/booking-" + booking).getInt("requests");
        expect(wrong, "the booking's HTTP status", 404, status);
        expect(wrong, "entries", 0, entries.size());
        expect(wrong, "requests at the airline", 0, requests);
        row("rolled back", entries.isEmpty() ? "no entry" : "an entry", 0, "", "", requests, wrong);
    }

    private void row(
            String kind, String status, int attempts, String failure, String reference, int requests, List<String> wrong) {
        String verdict = wrong.isEmpty() ? "ok" : "WRONG";
        table.add(String.format(ROW, kind, status, attempts, failure, reference, requests, verdict));
        wrong.forEach(what -> reasons.add(kind + ": " + what));
    }

    private static void expect(List<String> wrong, String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            wrong.add(what + " should be " + expected + " but is " + found);
        }
    }

    private Instant awaitUnknown(String booking) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(EACH_ENDING);
        while (!request(booking).getString("status").equals("outcome_unknown")) {
            if (Instant.now().isAfter(deadline)) {
                throw new Failure("never answers: not outcome_unknown after " + EACH_ENDING.toSeconds() + " s but "
                        + request(booking));
            }
            Thread.sleep(POLL.toMillis());
        }
        return Instant.now();
    }

    private String book(String airline) throws IOException, InterruptedException {
        return post("/api/bookings", bookingForm(airline, false), 201).getString("id");
    }

    /** The id of a booking whose transaction was rolled back: the refusal names it. */
    private String bookAndRollBack() throws IOException, InterruptedException {
        return post("/api/bookings", bookingForm("accept", true), 409).getString("booking");
    }

    /** Books a new leg and one that was booked before; the id of the new one. */
    private String bookJourney(String before) throws IOException, InterruptedException {
        JsonObject form = Json.createObjectBuilder()
                .add("passenger", "Smoke")
                .add("legs", Json.createArrayBuilder()
                        .add(Json.createObjectBuilder().add("flight", "TF 1").add("booking", before))
                        .add(Json.createObjectBuilder().add("flight", "TF 2")))
                .build();
        JsonObject journey = post("/api/bookings/journeys", form, 201);
        if (!journey.getJsonArray("booked_before").getString(0).equals(before)) {
            throw new Failure("journey: the repeated leg was not recognised: " + journey);
        }
        return journey.getJsonArray("booked").getString(0);
    }

    private static JsonObject bookingForm(String airline, boolean rollback) {
        return Json.createObjectBuilder()
                .add("passenger", "Smoke")
                .add("flight", "TF 1")
                .add("airline", airline)
                .add("rollback", rollback)
                .build();
    }

    private JsonObject request(String booking) throws IOException, InterruptedException {
        return get("/api/bookings/" + booking).getJsonObject("request");
    }

    private JsonObject get(String path) throws IOException, InterruptedException {
        return body(send(HttpRequest.newBuilder(uri(path)).build()), 200).asJsonObject();
    }

    private JsonArray array(String path) throws IOException, InterruptedException {
        return body(send(HttpRequest.newBuilder(uri(path)).build()), 200).asJsonArray();
    }

    private JsonObject post(String path, JsonObject form, int expected) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(form.toString()))
                .build();
        return body(send(request), expected).asJsonObject();
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static JsonStructure body(HttpResponse<String> response, int expected) {
        if (response.statusCode() != expected) {
            throw new Failure(response.request().method() + " " + response.uri() + " answered " + response.statusCode()
                    + " instead of " + expected + ": " + response.body());
        }
        try (JsonReader reader = Json.createReader(new StringReader(response.body()))) {
            return reader.read();
        }
    }

    private URI uri(String path) {
        return URI.create(desk + path);
    }

    private static void sleepUntil(Instant instant) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), instant).toMillis()));
    }

    /** Something the smoke cannot go on from. */
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Failure(String message) {
            super(message);
        }
    }
}
