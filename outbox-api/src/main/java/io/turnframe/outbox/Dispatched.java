package io.turnframe.outbox;

import java.io.Serializable;
import java.time.Instant;
import java.util.Objects;

/**
 * How one send ended: the only question is whether it may be sent again. Immutable; crosses remote views. Java 17 has no
 * pattern switch, so {@link #kind()} lets a reader handle every ending.
 */
public sealed interface Dispatched extends Serializable {
    /** Which of the four. */
    Kind kind();

    /** The four endings. */
    enum Kind {
        COMPLETED,
        RETRYABLE,
        PERMANENT,
        UNKNOWN
    }

    /** The remote confirmed, without a reference. */
    static Completed completed() {
        return new Completed(null);
    }

    /** The remote confirmed with this reference; null if it gave none. */
    static Completed completed(String remoteRef) {
        return new Completed(remoteRef);
    }

    /** It did not arrive; it may be sent again after the usual back-off. */
    static Retryable retryable(String code) {
        return new Retryable(code, null, false);
    }

    /** It did not arrive; it may be sent again, not before that instant. */
    static Retryable retryable(String code, Instant notBefore) {
        return new Retryable(code, notBefore, false);
    }

    /**
     * It did not arrive, and the entry is not to blame: the destination as a whole cannot be reached, or serves nobody or
     * not us. It may be sent again after the usual back-off, and uses up nothing of its budget.
     */
    static Retryable unavailable(String code) {
        return new Retryable(code, null, true);
    }

    /** As {@link #unavailable(String)}, not before that instant. */
    static Retryable unavailable(String code, Instant notBefore) {
        return new Retryable(code, notBefore, true);
    }

    /** The remote refused it and would refuse it again. */
    static Permanent permanent(String code) {
        return new Permanent(code);
    }

    /** The request may have left and nobody knows what became of it. */
    static Unknown unknown() {
        return new Unknown(null);
    }

    /** As {@link #unknown()}, with the reference the remote gave before it went quiet; null if it gave none. */
    static Unknown unknown(String remoteRef) {
        return new Unknown(remoteRef);
    }

    /** The remote confirmed; the entry becomes completed. */
    final class Completed implements Dispatched {
        private static final long serialVersionUID = 1L;

        private final String remoteRef;

        private Completed(String remoteRef) {
            this.remoteRef = remoteRef;
        }

        /** The remote's reference, or null. */
        public String remoteRef() {
            return remoteRef;
        }

        @Override
        public Kind kind() {
            return Kind.COMPLETED;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Completed that && Objects.equals(remoteRef, that.remoteRef);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(remoteRef);
        }

        @Override
        public String toString() {
            return "Completed[" + remoteRef + "]";
        }
    }

    /** It did not arrive; the entry goes back to pending, or to failed once its budget is spent, if it uses that up. */
    final class Retryable implements Dispatched {
        private static final long serialVersionUID = 1L;

        private final String code;
        private final long notBefore;
        private final boolean unavailable;

        private Retryable(String code, Instant notBefore, boolean unavailable) {
            this.code = OutboxEntry.required("code", code);
            this.notBefore = Micros.of("notBefore", notBefore);
            this.unavailable = unavailable;
        }

        /** A stable code, never free text. */
        public String code() {
            return code;
        }

        /** The earliest instant of the next attempt, or null. */
        public Instant notBefore() {
            return Micros.toInstant(notBefore);
        }

        /** Whether the destination as a whole is to blame: the attempt then uses up nothing of the entry's budget. */
        public boolean isUnavailable() {
            return unavailable;
        }

        @Override
        public Kind kind() {
            return Kind.RETRYABLE;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Retryable that
                    && code.equals(that.code)
                    && notBefore == that.notBefore
                    && unavailable == that.unavailable;
        }

        @Override
        public int hashCode() {
            return code.hashCode();
        }

        @Override
        public String toString() {
            return "Retryable[" + code + ", notBefore=" + notBefore() + (unavailable ? ", unavailable" : "") + "]";
        }
    }

    /** The remote refused; the entry becomes failed. */
    final class Permanent implements Dispatched {
        private static final long serialVersionUID = 1L;

        private final String code;

        private Permanent(String code) {
            this.code = OutboxEntry.required("code", code);
        }

        /** A stable code, never free text. */
        public String code() {
            return code;
        }

        @Override
        public Kind kind() {
            return Kind.PERMANENT;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Permanent that && code.equals(that.code);
        }

        @Override
        public int hashCode() {
            return code.hashCode();
        }

        @Override
        public String toString() {
            return "Permanent[" + code + "]";
        }
    }

    /** Nobody knows; the entry becomes outcome_unknown and is reconciled, never blindly repeated. */
    final class Unknown implements Dispatched {
        private static final long serialVersionUID = 1L;

        private final String remoteRef;

        private Unknown(String remoteRef) {
            this.remoteRef = remoteRef;
        }

        /** The remote's reference, or null. */
        public String remoteRef() {
            return remoteRef;
        }

        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Unknown that && Objects.equals(remoteRef, that.remoteRef);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(remoteRef);
        }

        @Override
        public String toString() {
            return "Unknown[" + remoteRef + "]";
        }
    }
}
