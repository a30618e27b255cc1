package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.store.ConfigValues;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Routes as the configuration makes them. */
final class Routes {
    static final String PREFIX = "outbox.destination.airline.";

    private Routes() {}

    /** @param settings the destination's keys, without their beginning */
    static HttpRoute route(String url, Map<String, String> settings) {
        return HttpRoute.read(PREFIX, url, "true".equals(settings.get("deduplicates")), values(settings));
    }

    static ConfigValues values(Map<String, String> settings) {
        return new ConfigValues(
                key -> Optional.ofNullable(settings.get(key.substring(PREFIX.length()))), UnaryOperator.identity());
    }
}
