package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.admin.Client.Answer;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;

/** Calls of the admin resource by an operator in every role, and entries for it to act on. */
final class AdminCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Client operator = Client.of("operator");

    private final Client nobody = Client.nobody();

    Answer get(String path, String... headers) {
        return operator.call("GET", path, null, headers);
    }

    /** Without a user. */
    Answer anonymous(String path) {
        return nobody.call("GET", path, null);
    }

    Answer post(String path, String body, String... headers) {
        return operator.call("POST", path, body, headers);
    }

    Answer put(String path, String body) {
        return operator.call("PUT", path, body);
    }

    /** Enqueues an entry which the airline answers so, under a key that begins so; answers its id. */
    String enqueue(String behaviour, String keyPrefix) {
        return enqueue(behaviour, keyPrefix, "Ada");
    }

    /** @param passenger stands in the payload */
    String enqueue(String behaviour, String keyPrefix, String passenger) {
        String body = "{\"destination\":\"airline\",\"idempotency_key\":\"" + keyPrefix + UUID.randomUUID()
                + "\",\"payload\":{\"booking\":\"b\",\"passenger\":\"" + passenger
                + "\",\"flight\":\"TF1\",\"behaviour\":\"" + behaviour + "\"}}";
        Answer created = post("/entries", body);
        if (created.status() != 201) {
            throw new AssertionError(created.text());
        }
        return created.json().getJsonObject("entry").getString("outbox_id");
    }

    /** Enqueues such an entry and waits until it is in that status. */
    String entry(String behaviour, String status) {
        String id = enqueue(behaviour, "");
        await(id, status);
        return id;
    }

    JsonObject await(String id, String status) {
        return Awaitility.await("entry " + id + " becomes " + status)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> record(id), record -> status.equals(status(record)));
    }

    JsonObject record(String id) {
        return get("/entries/" + id).json();
    }

    static String status(JsonObject record) {
        return record.getJsonObject("entry").getString("status");
    }
}
