package io.turnframe.outbox.it.harness;

import jakarta.json.Json;
import jakarta.json.JsonObject;

/**
 * Stands in payloads, keys and credentials of the tests, and must not stand in a log, a metric or anything else that the
 * servers write for people: {@link LeakCheck} looks for it when all have run.
 */
public final class Marker {
    public static final String TEXT = "m4rk3r-that-nobody-may-see";

    private Marker() {}

    /** A payload with it. */
    public static JsonObject payload() {
        return Json.createObjectBuilder().add("card", TEXT).build();
    }
}
