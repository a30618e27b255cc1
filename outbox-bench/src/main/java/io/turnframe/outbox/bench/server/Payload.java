package io.turnframe.outbox.bench.server;

/** What every measured row carries. */
public final class Payload {
    /** JSON of 200 bytes. */
    public static final String TEXT = "{\"booking\":\"" + "x".repeat(186) + "\"}";

    private Payload() {}
}
