package io.turnframe.outbox.web;

import io.turnframe.outbox.batch.Breakers;
import io.turnframe.outbox.batch.ReconcileSettings;
import io.turnframe.outbox.batch.Reconcilers;
import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxReconciliation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

/** The backlog in numbers. */
@Path("stats")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class StatsResource {
    @EJB
    private OutboxQueries queries;

    @EJB
    private OutboxReconciliation reconciliation;

    @Inject
    private ReconcileSettings settings;

    @Inject
    private Reconcilers reconcilers;

    @Inject
    private Breakers breakers;

    /** Counts by destination and status, what is due and since when, what is unknown and will not resolve by itself. */
    @GET
    public StatsView stats(@Context UriInfo uri) {
        Parameters.none(uri);
        return StatsView.of(
                queries.stats(),
                reconciliation.overdue(settings.overdueAfter()),
                reconcilers.available(),
                breakers.failing());
    }
}
