package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxWriter;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Turns a sender's answer into a settlement: budget, back-off, and values that the store would refuse. */
final class Verdict {
    /** The budget of the row ran out, so that a retryable answer became a failure. */
    static final String ATTEMPTS_EXHAUSTED = "turnframe.dispatch.attempts_exhausted";

    /** The sender gave no usable code. */
    static final String INVALID_CODE = "turnframe.dispatch.invalid_code";

    private final RandomGenerator random;

    Verdict(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @param sinceEnd how long ago the send ended: a retry counts from there
     * @param wall the node's time, against which a sender's {@code notBefore} is read
     */
    Settlement settle(Send send, Duration sinceEnd, Instant wall) {
        return settle(send, send.answer(), sinceEnd, wall);
    }

    /** As above, for an answer that the send does not have yet. */
    Settlement settle(Send send, Dispatched answer, Duration sinceEnd, Instant wall) {
        return switch (answer.kind()) {
            case COMPLETED -> Settlement.completed(send.id(), usable(((Dispatched.Completed) answer).remoteRef()));
            case PERMANENT -> Settlement.failed(send.id(), code(((Dispatched.Permanent) answer).code()));
            case UNKNOWN -> Settlement.unknown(send.id(), usable(((Dispatched.Unknown) answer).remoteRef()));
            case RETRYABLE -> retry(send, (Dispatched.Retryable) answer, sinceEnd, wall);
        };
    }

    /**
     * The journal's line of an answer.
     *
     * @param late whether it came after the attempt had been settled as unknown
     * @param now the ticker's present
     */
    Attempt journal(Send send, Dispatched answer, long endedAt, boolean late, long now) {
        String code = null;
        String remoteRef = null;
        switch (answer.kind()) {
            case COMPLETED -> remoteRef = usable(((Dispatched.Completed) answer).remoteRef());
            case UNKNOWN -> remoteRef = usable(((Dispatched.Unknown) answer).remoteRef());
            case PERMANENT -> code = code(((Dispatched.Permanent) answer).code());
            case RETRYABLE -> code = code(((Dispatched.Retryable) answer).code());
        }
        return new Attempt(
                send.id(),
                send.entry().attemptCount(),
                send.config().workerId(),
                Duration.ofNanos(Math.max(0, now - send.startedAt())),
                Duration.ofNanos(Math.max(0, now - endedAt)),
                answer.kind(),
                code,
                remoteRef,
                late);
    }

    private Settlement retry(Send send, Dispatched.Retryable answer, Duration sinceEnd, Instant wall) {
        DispatchConfig config = send.config();
        if (!answer.isUnavailable() && send.budgetUsed() >= config.maxAttempts()) {
            return Settlement.failed(send.id(), ATTEMPTS_EXHAUSTED);
        }
        // What uses up no budget backs off all the same.
        int attempt = answer.isUnavailable() ? send.entry().attemptCount() : send.budgetUsed();
        Duration delay = jittered(config.backoffFor(attempt), config.jitter()).minus(sinceEnd);
        Instant notBefore = answer.notBefore();
        if (notBefore != null && Duration.between(wall, notBefore).compareTo(delay) > 0) {
            delay = Duration.between(wall, notBefore);
        }
        Duration retryAfter = delay.isNegative() ? Duration.ZERO : delay;
        return answer.isUnavailable()
                ? Settlement.unavailable(send.id(), code(answer.code()), retryAfter)
                : Settlement.retry(send.id(), code(answer.code()), retryAfter);
    }

    private Duration jittered(Duration delay, double jitter) {
        if (jitter == 0) {
            return delay;
        }
        double factor = 1 + jitter * (2 * random.nextDouble() - 1);
        return Duration.ofNanos((long) (delay.toNanos() * factor));
    }

    /** The code, or one that says that it cannot be stored. */
    static String code(String code) {
        return fits(code, OutboxWriter.MAX_CODE) ? code : INVALID_CODE;
    }

    /** As {@link #code}; null for null. */
    static String codeOrNull(String code) {
        return code == null ? null : code(code);
    }

    /** A reference that cannot be stored is no reason to lose the answer it came with. */
    static String usable(String remoteRef) {
        return fits(remoteRef, OutboxWriter.MAX_REMOTE_REF) ? remoteRef : null;
    }

    private static boolean fits(String text, int maxLength) {
        return text != null
                && !text.isBlank()
                && text.length() <= maxLength
                && text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
    }
}
