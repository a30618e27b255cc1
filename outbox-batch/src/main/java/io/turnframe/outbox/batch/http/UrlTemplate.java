package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.OutboxEntry;
import java.net.URI;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.net.PercentCodec;

/**
 * A URL with places for an entry's ids in path and query. What is put there is percent-encoded, so it stays within its
 * place; scheme, host and port are always those of the configuration.
 */
final class UrlTemplate {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private static final String REMOTE_REF = "remote_ref";
    private static final Set<String> NAMES = Set.of("outbox_id", "command_id", "idempotency_key");

    /** What a server, or a proxy that decodes first, would take for a way up or for nothing. */
    private static final Pattern DOTS = Pattern.compile("(.*[/\\\\])?\\.{1,2}([/\\\\].*)?", Pattern.DOTALL);

    private static final int MAX_PORT = 65_535;

    private final HttpHost host;
    private final String target;

    private UrlTemplate(HttpHost host, String target) {
        this.host = host;
        this.target = target;
    }

    /**
     * @param key of the configuration, for the message
     * @param withReference whether {@code {remote_ref}} may stand in it
     * @throws IllegalArgumentException naming key, value and remedy; what may be secret in the value is left out
     */
    static UrlTemplate parse(String key, String text, boolean withReference) {
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            String name = place.group(1);
            if (!NAMES.contains(name) && !(withReference && name.equals(REMOTE_REF))) {
                throw refused(
                        key,
                        text,
                        "there is no {" + name + "}; write {outbox_id}, {command_id} or {idempotency_key}"
                                + (withReference ? ", or {remote_ref}" : ""));
            }
        }
        URI uri;
        try {
            uri = URI.create(place.replaceAll("0"));
        } catch (IllegalArgumentException notAUri) {
            throw refused(key, text, "write an http or https URL");
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getRawAuthority() == null || uri.getFragment() != null) {
            throw refused(key, text, "write an http or https URL");
        }
        if (uri.getRawAuthority().contains("@")) {
            throw refused(key, text, "no user in a URL: set user and password, or token, of the destination");
        }
        int path = pathOf(text);
        if (text.substring(0, path).contains("{")) {
            throw refused(key, text, "the host does not come from an entry; write {…} in path and query only");
        }
        checkAuthority(key, text, uri);
        String target = text.substring(path);
        return new UrlTemplate(HttpHost.create(uri), target.startsWith("/") ? target : "/" + target);
    }

    /** What an address resolver or a socket would refuse, entry by entry. */
    private static void checkAuthority(String key, String text, URI uri) {
        if (uri.getHost() == null) {
            throw refused(
                    key,
                    text,
                    "'" + uri.getRawAuthority() + "' is no host with or without a port; write letters, digits, '-' and"
                            + " '.' for a host, and a number for a port");
        }
        if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw refused(key, text, "the port " + uri.getPort() + " does not exist; write one from 1 to " + MAX_PORT);
        }
    }

    private static int pathOf(String text) {
        for (int i = text.indexOf("//") + 2; i < text.length(); i++) {
            if (text.charAt(i) == '/' || text.charAt(i) == '?') {
                return i;
            }
        }
        return text.length();
    }

    private static IllegalArgumentException refused(String key, String text, String remedy) {
        String shown = text.replaceFirst("//[^/]*@", "//…@").replaceFirst("\\?.*", "?…");
        return new IllegalArgumentException(key + " is '" + shown + "'; " + remedy);
    }

    HttpHost host() {
        return host;
    }

    /** Whether each entry has a resource of its own: the remote's word about one says nothing of the others. */
    boolean hasPlaces() {
        return PLACE.matcher(target).find();
    }

    /** Scheme, host, port and path, without what a query may hold of secrets. */
    String shown() {
        return host.toURI() + target.replaceFirst("\\?.*", "");
    }

    /**
     * Path and query for an entry.
     *
     * @param remoteRef null if there is none
     * @return null if the entry has no such place: a reference is wanted and missing, or an id would lead elsewhere in the path
     */
    String expand(OutboxEntry entry, String remoteRef) {
        int query = target.indexOf('?');
        Matcher place = PLACE.matcher(target);
        StringBuilder expanded = new StringBuilder();
        while (place.find()) {
            String value = switch (place.group(1)) {
                case "outbox_id" -> entry.outboxId().toString();
                case "command_id" -> entry.commandId().toString();
                case REMOTE_REF -> remoteRef;
                default -> entry.idempotencyKey();
            };
            boolean inPath = query < 0 || place.start() < query;
            if (value == null || inPath && DOTS.matcher(value).matches()) {
                return null;
            }
            place.appendReplacement(expanded, Matcher.quoteReplacement(PercentCodec.RFC3986.encode(value)));
        }
        return place.appendTail(expanded).toString();
    }
}
