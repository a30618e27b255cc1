package io.turnframe.outbox.batch.http;

/** What an answer says of the effect, as the configuration names it. */
enum Meaning {
    /** The remote has done it. */
    CONFIRMED("confirmed"),
    /** The remote refuses this request and would again. */
    REFUSED("refused"),
    /** The remote serves nobody now, or not us: no effect, and not the entry's fault. */
    TROUBLE("trouble"),
    /** It was not taken in, and may be later. */
    NOT_ARRIVED("not-arrived"),
    /** Nobody knows. */
    UNKNOWN("unknown");

    private final String label;

    Meaning(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
