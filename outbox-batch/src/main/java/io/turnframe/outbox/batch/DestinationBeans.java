package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.Destination;
import jakarta.enterprise.inject.Instance;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;

/**
 * Finds what works for a destination. A CDI bean is ours to keep; an EJB of another deployment is looked up anew each time,
 * since that may be redeployed.
 */
final class DestinationBeans<T> {
    private final Class<T> type;
    private final Instance<T> beans;
    private final Map<String, T> kept = new ConcurrentHashMap<>();

    DestinationBeans(Class<T> type, Instance<T> beans) {
        this.type = type;
        this.beans = beans;
    }

    /**
     * The EJB of this name.
     *
     * @param key the configuration key that names it
     * @throws IllegalStateException naming key, name and remedy if there is none, or it is something else
     * @throws NamingException if the name cannot be looked up
     */
    T ejb(String key, String name) throws NamingException {
        Object found;
        try {
            found = new InitialContext().lookup(name);
        } catch (NameNotFoundException absent) {
            throw new IllegalStateException(
                    key + " is '" + name + "', and nothing is deployed under that name; deploy it, or mend the name");
        }
        if (type.isInstance(found)) {
            return type.cast(found);
        }
        throw new IllegalStateException(key + " is '" + name + "', which is no " + type.getSimpleName()
                + "; name the remote view of an EJB that implements it");
    }

    /**
     * The bean that is qualified with the destination, or empty if there is none.
     *
     * @param key the configuration key that names an EJB instead
     * @throws IllegalStateException naming the remedy if there are several
     */
    Optional<T> bean(String key, String destination) {
        T known = kept.get(destination);
        if (known != null) {
            return Optional.of(known);
        }
        if (!hasBean(key, destination)) {
            return Optional.empty();
        }
        return Optional.of(kept.computeIfAbsent(
                destination,
                name -> beans.select(new Destination.Literal(destination)).get()));
    }

    /**
     * Whether there is such a bean; none is made.
     *
     * @param key the configuration key that names an EJB instead
     * @throws IllegalStateException naming the remedy if there are several
     */
    boolean hasBean(String key, String destination) {
        Instance<T> bean = beans.select(new Destination.Literal(destination));
        if (bean.isAmbiguous()) {
            throw new IllegalStateException(
                    "several CDI beans are qualified @Destination(\"" + destination + "\"); leave one, or set " + key);
        }
        return !bean.isUnsatisfied();
    }
}
