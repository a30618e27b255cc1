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
            // Data stays out of every cache; files are asked for again, so that a new version is seen at once.
            http.setHeader("Cache-Control", asked.getRequestURI().contains("/api/") ? "no-store" : "no-cache");
        }
        chain.doFilter(request, response);
    }
}
