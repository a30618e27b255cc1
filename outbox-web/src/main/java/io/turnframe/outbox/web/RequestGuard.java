package io.turnframe.outbox.web;

import io.turnframe.outbox.store.StoreConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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
import java.util.Set;

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

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    @Inject
    private StoreConfig config;

    @Override
    public void filter(ContainerRequestContext request) {
        if (!SAFE.contains(request.getMethod())) {
            String site = request.getHeaderString("Sec-Fetch-Site");
            if (site != null && !OWN_SITE.contains(site)) {
                throw AdminException.crossSite();
            }
            MediaType type = request.getMediaType();
            if (type == null || !type.isCompatible(MediaType.APPLICATION_JSON_TYPE) || type.isWildcardSubtype()) {
                throw new NotSupportedException();
            }
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

    private static boolean isAbove(String length, long limit) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    /** Refuses to read more than its limit: a chunked body says no length beforehand. */
    static final class Bounded extends FilterInputStream {
        private final long limit;
        private long left;

        Bounded(InputStream in, long limit) {
            super(in);
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            count(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
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
