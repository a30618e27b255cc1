package io.turnframe.outbox.web;

import io.turnframe.outbox.store.StoreConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Bounds bodies and keeps other sites' pages from acting with the browser's stored password: a request that changes
 * something must be {@code application/json}, which a form cannot send and a script of another site may not without a
 * permission that is never given, and must not say that it comes from another site.
 */
@Provider
@PreMatching
@ApplicationScoped
@Priority(Priorities.AUTHENTICATION)
public class RequestGuard implements ContainerRequestFilter {
    /** Room for the names, keys and spaces around a payload. */
    private static final long OVERHEAD = 64L << 10;

    /** They change nothing, and nobody reads their body. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /** In a header {@code Accept}. */
    private static final Pattern WEIGHT = Pattern.compile(";\\s*[qQ]\\s*=([^;,]*)");

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    @Inject
    private StoreConfig config;

    @Override
    public void filter(ContainerRequestContext request) {
        if (hasUnreadableWeight(request.getHeaderString(HttpHeaders.ACCEPT))) {
            throw new BadRequestException();
        }
        if (SAFE.contains(request.getMethod())) {
            return;
        }
        if (isOfAnotherSite(request::getHeaderString)) {
            throw AdminException.crossSite();
        }
        MediaType type = request.getMediaType();
        if (type == null || !type.isCompatible(MediaType.APPLICATION_JSON_TYPE) || type.isWildcardSubtype()) {
            throw new NotSupportedException();
        }
        long limit = config.maxPayloadBytes() + OVERHEAD;
        String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isAbove(length, limit)) {
            throw AdminException.bodyTooLarge(limit);
        }
        if (request.hasEntity()) {
            request.setEntityStream(new Bounded(request.getEntityStream(), limit));
        }
    }

    /** Whether it weighs a media type by what is no number from 0 to 1, which ends as an unforeseen error in RESTEasy. */
    static boolean hasUnreadableWeight(String accept) {
        return accept != null && WEIGHT.matcher(accept).results().anyMatch(weight -> !isWeight(weight.group(1)));
    }

    private static boolean isWeight(String text) {
        try {
            float weight = Float.parseFloat(text.strip());
            return weight >= 0 && weight <= 1;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /**
     * Whether the request says that a page of another site sent it. Browsers say so by {@code Sec-Fetch-Site} over TLS, and
     * otherwise by the origin alone; others say neither. Behind a proxy the host that the caller named is that of
     * {@code X-Forwarded-Host}, which a page may not send to another site.
     *
     * @param header gives the value of a header, or null
     */
    static boolean isOfAnotherSite(UnaryOperator<String> header) {
        String site = header.apply("Sec-Fetch-Site");
        if (site != null) {
            return !OWN_SITE.contains(site);
        }
        String origin = header.apply("Origin");
        return origin != null
                && Stream.of("Host", "X-Forwarded-Host")
                        .map(header)
                        .noneMatch(host -> host != null && isOf(origin, host));
    }

    private static boolean isOf(String origin, String host) {
        return bare(origin.replaceFirst("^https?://", "")).equals(bare(host.split(",", 2)[0].strip()));
    }

    /** Without a port that need not be named. */
    private static String bare(String authority) {
        return authority.replaceFirst(":(80|443)$", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isAbove(String length, long limit) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    /**
     * Refuses to read more than its limit: a chunked body says no length beforehand. A body that breaks off, or whose chunks
     * are none, is the caller's fault and not an unforeseen one.
     */
    static final class Bounded extends FilterInputStream {
        private final long limit;
        private long left;

        Bounded(InputStream in, long limit) {
            super(in);
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int count;
            try {
                count = super.read(target, offset, length);
            } catch (IOException brokenOff) {
                throw AdminException.unreadableBody();
            }
            count(Math.max(0, count));
            return count;
        }

        private void count(int read) {
            left -= read;
            if (left < 0) {
                throw AdminException.bodyTooLarge(limit);
            }
        }
    }
}
