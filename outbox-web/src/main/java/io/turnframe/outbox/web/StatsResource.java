package io.turnframe.outbox.web;

import io.turnframe.outbox.store.OutboxQueries;
import io.turnframe.outbox.store.OutboxStats;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The backlog in numbers. */
@Path("stats")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
public class StatsResource {
    @EJB
    private OutboxQueries queries;

    /** Counts by destination and status, how many are due, how long the oldest of them has waited. */
    @GET
    public OutboxStats stats() {
        return queries.stats();
    }
}
