package io.turnframe.outbox.batch;

import jakarta.ejb.NoSuchEJBException;
import java.util.List;
import java.util.Set;

/**
 * Tells a sender that was undeployed when it was called, and so has sent nothing, from one that threw in its work, whose
 * outcome nobody knows.
 */
final class SenderGone {
    /** The code of an entry whose sender was no longer there. */
    static final String CODE = "turnframe.dispatch.sender_gone";

    /** They alone call senders. */
    private static final Set<String> CALLERS = Set.of(DispatchRun.class.getName(), JointSends.class.getName());

    /** WildFly's own, of an EJB that stops just now. */
    private static final Set<String> STOPPED = Set.of(
            "org.jboss.as.ee.component.ComponentIsStoppedException",
            "org.jboss.as.ejb3.component.EJBComponentUnavailableException");

    /** What stands between us and the EJB, and calls no code of an application; examples of WildFly are in its packages, too. */
    private static final List<String> SERVER = List.of(
            "java.",
            "jdk.",
            "sun.",
            "org.jboss.as.ee.",
            "org.jboss.as.ejb3.",
            "org.jboss.as.naming.",
            "org.jboss.as.security.",
            "org.jboss.as.weld.",
            "org.jboss.ejb.",
            "org.jboss.invocation.",
            "org.wildfly.common.",
            "org.wildfly.security.",
            "org.wildfly.transaction.");

    private SenderGone() {}

    /**
     * Whether this proves that the sender was not called. The same exception may come from an EJB that the sender calls
     * after it has sent: so nothing but the server may stand on the stack above us.
     */
    static boolean isProvenBy(Throwable thrown) {
        if (!(thrown instanceof NoSuchEJBException)
                && !STOPPED.contains(thrown.getClass().getName())) {
            return false;
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (CALLERS.contains(frame.getClassName())) {
                return true;
            }
            if (SERVER.stream().noneMatch(frame.getClassName()::startsWith)) {
                return false;
            }
        }
        return false;
    }
}
