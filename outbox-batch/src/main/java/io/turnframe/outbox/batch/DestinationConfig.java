package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ConfigValues;
import java.net.URI;
import java.util.Optional;

/**
 * How one destination is configured.
 *
 * @param name its name
 * @param sender {@code http}, a {@code java:} name of an EJB, or null for the CDI bean of that name
 * @param url where an HTTP sender posts to; null unless {@code sender} is {@code http}
 * @param referencePointer a JSON pointer to the remote's reference in the body of its answer; null: the Location header
 * @param deduplicates whether the remote drops a request whose key it has seen
 * @param concurrency sends in flight to it on this node at most; null for half of the node's
 * @param overrides what of the dispatcher's configuration it has of its own
 */
record DestinationConfig(
        String name,
        String sender,
        URI url,
        String referencePointer,
        boolean deduplicates,
        Integer concurrency,
        SendOverrides overrides) {
    static final String HTTP = "http";

    /**
     * Reads the keys {@code outbox.destination.<name>.*}.
     *
     * @throws IllegalArgumentException naming key, value and remedy
     */
    static DestinationConfig read(String name, ConfigValues values) {
        String prefix = "outbox.destination." + name + ".";
        Optional<URI> url = values.text(prefix + "url").map(text -> httpUrl(prefix + "url", text));
        String sender = values.text(prefix + "sender").orElse(url.isPresent() ? HTTP : null);
        if (HTTP.equals(sender) && url.isEmpty()) {
            throw new IllegalArgumentException(prefix + "url is not set; an http destination needs it");
        }
        if (sender != null && !HTTP.equals(sender) && !sender.startsWith("java:")) {
            throw new IllegalArgumentException(
                    prefix + "sender is '" + sender + "'; write http or the java: name of an EJB");
        }
        String pointer = values.text(prefix + "reference-pointer").orElse(null);
        if (pointer != null && !pointer.startsWith("/")) {
            throw new IllegalArgumentException(
                    prefix + "reference-pointer is '" + pointer + "'; write a JSON pointer such as /reference");
        }
        Integer concurrency = values.integer(prefix + "concurrency", null);
        if (concurrency != null && concurrency < 1) {
            throw new IllegalArgumentException(prefix + "concurrency is " + concurrency + "; write at least 1");
        }
        return new DestinationConfig(
                name,
                sender,
                url.orElse(null),
                pointer,
                values.flag(prefix + "deduplicates", false),
                concurrency,
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

    private static URI httpUrl(String key, String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException notAUri) {
            throw new IllegalArgumentException(key + " is '" + text + "'; write an http or https URL");
        }
        throw new IllegalArgumentException(key + " is '" + text + "'; write an http or https URL");
    }

    /** Where its entries go, as an operator reads it: without what a URL may hold of secrets. */
    String route() {
        if (url == null) {
            return sender == null ? "CDI bean" : sender;
        }
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port + url.getPath();
    }

    @Override
    public String toString() {
        return name + " -> " + route() + (deduplicates ? " (deduplicates)" : "");
    }
}
