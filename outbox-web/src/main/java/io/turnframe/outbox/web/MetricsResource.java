package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.metrics.Metrics;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;

/** Figures for a monitor. */
@Path("metrics")
@RequestScoped
@Produces("text/plain;version=0.0.4;charset=utf-8")
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class MetricsResource {
    @Inject
    private Metrics metrics;

    /** Those of this node, and the backlog, in the text format of Prometheus. */
    @GET
    public byte[] metrics(@Context UriInfo uri) {
        Parameters.none(uri);
        return metrics.scrape().getBytes(StandardCharsets.UTF_8);
    }
}
