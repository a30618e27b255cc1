package io.turnframe.outbox.batch.http;

import java.io.IOException;

/** No byte of the request has left, and none will. */
final class NotSentException extends IOException {
    private static final long serialVersionUID = 1L;

    NotSentException(Throwable cause) {
        super("not sent", cause);
    }
}
