package io.turnframe.outbox.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tells browsers to load nothing from elsewhere, to run nothing inline, and to be framed by nobody. */
public class SecurityHeaders implements Filter {
    /** Pictures may come as data: the style sheet draws its arrows so. */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (response instanceof HttpServletResponse http && request instanceof HttpServletRequest asked) {
            http.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
            http.setHeader("X-Content-Type-Options", "nosniff");
            http.setHeader("X-Frame-Options", "DENY");
            http.setHeader("Referrer-Policy", "no-referrer");
            http.setHeader("Cross-Origin-Opener-Policy", "same-origin");
            http.setHeader("Cross-Origin-Resource-Policy", "same-origin");
            http.setHeader("Cache-Control", cacheControl(asked.getServletPath()));
        }
        chain.doFilter(request, response);
    }

    /**
     * Data stays out of every cache, and so does the page: the files of all builds carry the same modification time, so
     * that a browser that asks whether its copy is still good would keep the old one. A WebJar's path names its version.
     */
    private static String cacheControl(String path) {
        return path.startsWith("/webjars/") ? "private, max-age=86400" : "no-store";
    }
}
