package io.turnframe.outbox.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the server dies. The rule of this name in {@code faults/points.btm} kills it there, or the remote does. */
enum CrashPoint {
    AFTER_CLAIM("after the claim has committed"),
    AFTER_MARK("after the mark has committed (a deduplicating row has none), before the sends are started"),
    BEFORE_FIRST_BYTE("in the sender, before the first byte of the request"),
    /** Killed with SIGKILL by the remote. */
    AFTER_REQUEST("after the request has arrived, before the remote answers"),
    AFTER_ANSWER("after the sender has the answer, before it is settled"),
    BEFORE_COMMIT("in the settlement, after its statements, before its commit"),
    AFTER_COMMIT("after the commit of the settlement");

    private final String text;

    CrashPoint(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** From now on a server that looks at this directory dies when it comes to this point. */
    void arm(Path directory) {
        try {
            Files.writeString(directory.resolve(name()), "");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** From now on it does not. */
    void disarm(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(name()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
