package io.turnframe.outbox.batch.http;

/**
 * A whole answer, as far as it is looked at.
 *
 * @param status its status code
 * @param location the {@code Location} header, or null
 * @param retryAfter the {@code Retry-After} header, or null
 * @param body its body; empty unless the body was asked for
 */
record Answer(int status, String location, String retryAfter, byte[] body) {
    boolean isSuccess() {
        return status >= 200 && status < 300;
    }
}
