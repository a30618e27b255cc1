package io.turnframe.outbox.batch;

import io.turnframe.outbox.OutboxReconciler;
import io.turnframe.outbox.batch.http.HttpQuestion;
import io.turnframe.outbox.batch.http.HttpReconciler;
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
import javax.naming.NamingException;

/**
 * Finds the reconciler of a destination, anew each time: an EJB of another deployment may be absent, or redeployed. A
 * destination may well have none; its unknown entries then wait for a person.
 */
@ApplicationScoped
public class Reconcilers {
    private static final Logger LOG = Logger.getLogger(Reconcilers.class.getName());

    private ReconcileSettings settings;

    private DestinationBeans<OutboxReconciler> beans;

    private final Map<String, HttpReconciler> http = new ConcurrentHashMap<>();

    /** Whose reconciler could not be had when it was last looked for. */
    private final Set<String> missed = ConcurrentHashMap.newKeySet();

    /** For the proxy of the container. */
    Reconcilers() {}

    @Inject
    Reconcilers(ReconcileSettings settings, @Any Instance<OutboxReconciler> beans) {
        this.settings = settings;
        this.beans = new DestinationBeans<>(OutboxReconciler.class, beans);
    }

    @PreDestroy
    void close() {
        http.values().forEach(HttpReconciler::close);
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
        String key = ReconcileSettings.reconcilerKey(destination);
        if (name == null) {
            return beans.bean(key, destination);
        }
        HttpQuestion question = settings.questions().get(destination);
        return Optional.of(
                question == null
                        ? beans.ejb(key, name)
                        : http.computeIfAbsent(destination, asked -> new HttpReconciler(question)));
    }
}
