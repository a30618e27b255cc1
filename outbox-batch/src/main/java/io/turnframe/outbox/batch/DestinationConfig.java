package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.batch.http.HttpRoute;
import io.turnframe.outbox.batch.jms.JmsRoute;
import io.turnframe.outbox.store.ConfigValues;
import java.util.Optional;

/**
 * How one destination is configured.
 *
 * @param name its name
 * @param sender {@code http}, {@code jms}, a {@code java:} name of an EJB, or null for the CDI bean of that name
 * @param http where and how an HTTP sender sends; null unless {@code sender} is {@code http}
 * @param jms to where and how a JMS sender sends; null unless {@code sender} is {@code jms}
 * @param deduplicates whether the remote drops a request whose key it has seen
 * @param concurrency sends in flight to it on this node at most; null for half of the node's
 * @param breakerAfter entries in a row that did not arrive after which it counts as failing; 0: it never does
 * @param overrides what of the dispatcher's configuration it has of its own
 */
record DestinationConfig(
        String name,
        String sender,
        HttpRoute http,
        JmsRoute jms,
        boolean deduplicates,
        Integer concurrency,
        int breakerAfter,
        SendOverrides overrides) {
    static final String HTTP = "http";
    static final String JMS = "jms";

    static final int BREAKER_AFTER = 5;

    /** More ids than this are not kept in mind. */
    private static final int MOST_BREAKER_AFTER = 1_000;

    /**
     * Reads the keys {@code outbox.destination.<name>.*}.
     *
     * @throws IllegalArgumentException naming key, value and remedy
     */
    static DestinationConfig read(String name, ConfigValues values) {
        String prefix = "outbox.destination." + name + ".";
        Optional<String> url = values.text(prefix + "url");
        String sender = values.text(prefix + "sender").orElse(url.isPresent() ? HTTP : null);
        if (HTTP.equals(sender) && url.isEmpty()) {
            throw new IllegalArgumentException(prefix + "url is not set; an http destination needs it");
        }
        if (JMS.equals(sender) && url.isPresent()) {
            throw new IllegalArgumentException(
                    prefix + "url is set, and " + prefix + "sender is jms; leave one of them out");
        }
        if (sender != null && !HTTP.equals(sender) && !JMS.equals(sender) && !sender.startsWith("java:")) {
            throw new IllegalArgumentException(
                    prefix + "sender is '" + sender + "'; write http, jms or the java: name of an EJB");
        }
        boolean deduplicates = values.flag(prefix + "deduplicates", false);
        Integer concurrency = values.integer(prefix + "concurrency", null);
        if (concurrency != null && concurrency < 1) {
            throw new IllegalArgumentException(prefix + "concurrency is " + concurrency + "; write at least 1");
        }
        int breakerAfter = values.integer(prefix + "breaker-after", BREAKER_AFTER);
        if (breakerAfter < 0 || breakerAfter > MOST_BREAKER_AFTER) {
            throw new IllegalArgumentException(prefix + "breaker-after is " + breakerAfter
                    + " but must lie between 0, for never, and " + MOST_BREAKER_AFTER);
        }
        return new DestinationConfig(
                name,
                sender,
                HTTP.equals(sender) ? HttpRoute.read(prefix, url.get(), deduplicates, values) : null,
                JMS.equals(sender) ? JmsRoute.read(prefix, values) : null,
                deduplicates,
                concurrency,
                breakerAfter,
                SendOverrides.read(prefix, values));
    }

    /**
     * The configuration of a run, with what this destination has of its own laid over it.
     *
     * @throws IllegalArgumentException naming key, value and remedy, if the two do not go together
     */
    DispatchConfig over(DispatchConfig run) {
        return overrides.over(run, "outbox.destination." + name + ".");
    }

    /**
     * Sends in flight to it on this node at most.
     *
     * @param nodeConcurrency sends in flight on this node
     */
    int concurrency(int nodeConcurrency) {
        return concurrency == null ? defaultConcurrency(nodeConcurrency) : concurrency;
    }

    /** As {@link #concurrency(int)}, where nothing is configured. */
    static int defaultConcurrency(int nodeConcurrency) {
        return (nodeConcurrency + 1) / 2;
    }

    /** Where its entries go, as an operator reads it: without what a URL may hold of secrets. */
    String route() {
        if (http != null) {
            return http.shown();
        }
        if (jms != null) {
            return jms.shown();
        }
        return sender == null ? "CDI bean" : sender;
    }

    @Override
    public String toString() {
        return name + " -> " + route() + (deduplicates ? " (deduplicates)" : "");
    }
}
