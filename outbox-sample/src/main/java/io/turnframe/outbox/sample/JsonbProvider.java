package io.turnframe.outbox.sample;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.JsonbException;
import jakarta.json.bind.config.PropertyNamingStrategy;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Provider;

/** One JSON binding for the whole application: names in snake case, absent values left out. */
@Provider
@ApplicationScoped
public class JsonbProvider implements ContextResolver<Jsonb> {
    private final Jsonb jsonb = create();

    static Jsonb create() {
        return JsonbBuilder.create(
                new JsonbConfig().withPropertyNamingStrategy(PropertyNamingStrategy.LOWER_CASE_WITH_UNDERSCORES));
    }

    /**
     * Reads what a client sent.
     *
     * @param expected what it should have been, for the message
     * @throws TravelDeskException (400) if it is something else
     */
    static <T> T read(Jsonb jsonb, String json, Class<T> type, String expected) {
        T value;
        try {
            value = json == null || json.isBlank() ? null : jsonb.fromJson(json, type);
        } catch (JsonbException e) {
            throw TravelDeskException.invalid("the body must be a JSON object with " + expected);
        }
        if (value == null) {
            throw TravelDeskException.invalid("the body is empty; it must be a JSON object with " + expected);
        }
        return value;
    }

    @Override
    public Jsonb getContext(Class<?> type) {
        return jsonb;
    }

    @Produces
    Jsonb jsonb() {
        return jsonb;
    }

    @PreDestroy
    void close() {
        try {
            jsonb.close();
        } catch (Exception e) {
            throw new IllegalStateException("the JSON binding did not close", e);
        }
    }
}
