package io.turnframe.outbox.web;

import io.turnframe.outbox.store.DestinationControl;
import jakarta.ws.rs.core.SecurityContext;

/** Reads what an operator says about a destination, or about all of them. */
final class ControlBody {
    private ControlBody() {}

    static DestinationControl destination(String name, ObjectReader fields, SecurityContext caller) {
        Boolean held = null;
        Integer concurrency = null;
        Double rate = null;
        String note = null;
        while (fields.next()) {
            switch (fields.name()) {
                case "held" -> held = fields.flag();
                case "concurrency" -> concurrency = fields.nullableInteger();
                case "rate" -> rate = fields.decimal();
                case "note" -> note = fields.text();
                default -> throw AdminException.malformedJson("only held, concurrency, rate and note can be said");
            }
        }
        return new DestinationControl(name, required(held), concurrency, rate, note, ActBody.name(caller), null);
    }

    static DestinationControl everything(ObjectReader fields, SecurityContext caller) {
        Boolean held = null;
        String note = null;
        while (fields.next()) {
            switch (fields.name()) {
                case "held" -> held = fields.flag();
                case "note" -> note = fields.text();
                default -> throw AdminException.malformedJson("only held and note can be said");
            }
        }
        return new DestinationControl(
                DestinationControl.EVERYTHING, required(held), null, null, note, ActBody.name(caller), null);
    }

    private static boolean required(Boolean held) {
        if (held == null) {
            throw AdminException.malformedJson("held is missing; write true or false");
        }
        return held;
    }
}
