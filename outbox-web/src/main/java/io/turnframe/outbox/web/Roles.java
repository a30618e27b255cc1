package io.turnframe.outbox.web;

/** The roles of the admin resource, as {@code web.xml} declares them. */
final class Roles {
    /** Reads everything but payloads. */
    static final String VIEWER = "outbox-viewer";

    /** Reads like a viewer, and acts. */
    static final String OPERATOR = "outbox-operator";

    /** Sees payloads. */
    static final String PAYLOAD = "outbox-payload";

    /** Enqueues. */
    static final String ENQUEUER = "outbox-enqueuer";

    private Roles() {}
}
