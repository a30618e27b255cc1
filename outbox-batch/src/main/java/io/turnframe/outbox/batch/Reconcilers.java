package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.batch.http.HttpQuestion;
import io.turnframe.outbox.batch.http.HttpReconciler;
import io.turnframe.outbox.store.Destination;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;

/**
 * Finds the reconciler of a destination, anew each time: an EJB of another deployment may be absent, or redeployed. A
 * destination may well have none; its unknown entries then wait for a person.
 */
@ApplicationScoped
public class Reconcilers {
    private static final Logger LOG = Logger.getLogger(Reconcilers.class.getName());

    private ReconcileSettings settings;

    private Instance<OutboxReconciler> beans;

    /** CDI beans and those over HTTP, which are ours to keep. */
    private final Map<String, OutboxReconciler> kept = new ConcurrentHashMap<>();

    /** Whose reconciler could not be had when it was last looked for. */
    private final Set<String> missed = ConcurrentHashMap.newKeySet();

    /** For the proxy of the container. */
    Reconcilers() {}

    @Inject
    Reconcilers(ReconcileSettings settings, @Any Instance<OutboxReconciler> beans) {
        this.settings = settings;
        this.beans = beans;
    }

    @PreDestroy
    void close() {
        for (OutboxReconciler reconciler : kept.values()) {
            if (reconciler instanceof HttpReconciler http) {
                http.close();
            }
        }
    }

    /** The destinations that have a reconciler now. */
    public Set<String> available() {
        return settings.reconcilers().keySet().stream()
                .filter(destination -> find(destination).isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The destination's reconciler, or empty if it has none now; one that should be there and is not is logged once. */
    Optional<OutboxReconciler> find(String destination) {
        if (!settings.reconcilers().containsKey(destination)) {
            return Optional.empty();
        }
        try {
            String name = settings.reconcilers().get(destination);
            Optional<OutboxReconciler> found = found(destination, name);
            missed.remove(destination);
            return found;
        } catch (NamingException | RuntimeException | LinkageError none) {
            if (missed.add(destination)) {
                // Not the trace of what is no accident: one that is not deployed yet.
                String reason = none instanceof IllegalStateException ? none.getMessage() : none.toString();
                LOG.log(
                        Level.WARNING,
                        "the reconciler of destination {0} is not to be had, its unknown entries wait: {1}",
                        new Object[] {destination, reason});
            }
            return Optional.empty();
        }
    }

    private Optional<OutboxReconciler> found(String destination, String name) throws NamingException {
        if (name == null) {
            return bean(destination);
        }
        HttpQuestion question = settings.questions().get(destination);
        return Optional.of(
                question == null
                        ? ejb(destination, name)
                        : kept.computeIfAbsent(destination, asked -> new HttpReconciler(question)));
    }

    private static OutboxReconciler ejb(String destination, String name) throws NamingException {
        String key = ReconcileSettings.reconcilerKey(destination);
        Object found;
        try {
            found = new InitialContext().lookup(name);
        } catch (NameNotFoundException absent) {
            throw new IllegalStateException(
                    key + " is '" + name + "', and nothing is deployed under that name; deploy it, or mend the name");
        }
        if (found instanceof OutboxReconciler reconciler) {
            return reconciler;
        }
        throw new IllegalStateException(key + " is '" + name
                + "', which is no OutboxReconciler; name the remote view of an EJB that implements it");
    }

    /** Empty if there is none, which is no fault. */
    private Optional<OutboxReconciler> bean(String destination) {
        OutboxReconciler known = kept.get(destination);
        if (known != null) {
            return Optional.of(known);
        }
        Instance<OutboxReconciler> bean = beans.select(new Destination.Literal(destination));
        if (bean.isUnsatisfied()) {
            return Optional.empty();
        }
        if (bean.isAmbiguous()) {
            throw new IllegalStateException("several CDI beans are qualified @Destination(\"" + destination
                    + "\"); leave one, or set " + ReconcileSettings.reconcilerKey(destination));
        }
        return Optional.of(kept.computeIfAbsent(destination, name -> bean.get()));
    }
}
