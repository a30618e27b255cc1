package io.turnframe.outbox;

import java.io.Serializable;
import java.util.Objects;

/**
 * What the remote knows of an entry whose outcome was unknown. Immutable; crosses remote views. Java 17 has no pattern
 * switch, so {@link #kind()} lets a reader handle every answer.
 */
public sealed interface Reconciled extends Serializable {
    /** Which of the four. */
    Kind kind();

    /** The four answers. */
    enum Kind {
        COMPLETED,
        FAILED,
        RESEND,
        UNRESOLVED
    }

    /** The remote has it, and gave no reference. */
    static Completed completed() {
        return new Completed(null);
    }

    /** The remote has it under this reference; null keeps the one already there. */
    static Completed completed(String remoteRef) {
        return new Completed(remoteRef);
    }

    /** The remote has no effect of it and never will, and it shall not be sent again. */
    static Failed failed(String code) {
        return new Failed(code);
    }

    /**
     * The request never arrived, it cannot arrive any more, and it may be sent again. Answer this only where the remote is
     * certain: it is the one answer that leads to a second request. <em>Not found</em> alone is not enough, for a request
     * may still be on its way, in a proxy or in a queue of the remote. Before the settling time has passed it counts as
     * {@link Unresolved}.
     */
    static Resend resend() {
        return new Resend();
    }

    /** Nobody knows yet; to be asked again. */
    static Unresolved unresolved() {
        return new Unresolved();
    }

    /** The remote has it; the entry becomes completed. */
    final class Completed implements Reconciled {
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

    /** The remote has no effect of it and never will; the entry becomes failed. */
    final class Failed implements Reconciled {
        private static final long serialVersionUID = 1L;

        private final String code;

        private Failed(String code) {
            this.code = OutboxEntry.required("code", code);
        }

        /** A stable code, never free text. */
        public String code() {
            return code;
        }

        @Override
        public Kind kind() {
            return Kind.FAILED;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Failed that && code.equals(that.code);
        }

        @Override
        public int hashCode() {
            return code.hashCode();
        }

        @Override
        public String toString() {
            return "Failed[" + code + "]";
        }
    }

    /** It never arrived and cannot arrive any more; the entry goes back to pending, due at once. */
    final class Resend implements Reconciled {
        private static final long serialVersionUID = 1L;

        private Resend() {}

        @Override
        public Kind kind() {
            return Kind.RESEND;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Resend;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public String toString() {
            return "Resend[]";
        }
    }

    /** Nobody knows yet; the entry stays as it is. */
    final class Unresolved implements Reconciled {
        private static final long serialVersionUID = 1L;

        private Unresolved() {}

        @Override
        public Kind kind() {
            return Kind.UNRESOLVED;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Unresolved;
        }

        @Override
        public int hashCode() {
            return 2;
        }

        @Override
        public String toString() {
            return "Unresolved[]";
        }
    }
}
