package io.turnframe.outbox.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.System.Logger.Level;
import java.util.UUID;

/** Turns every failure into {@link Problem} details. What was not foreseen is logged under an incident id. */
@Provider
public class ProblemMapper implements ExceptionMapper<Throwable> {
    private static final System.Logger LOG = System.getLogger(ProblemMapper.class.getName());

    private static final int RETRY_SECONDS = 5;

    @Override
    public Response toResponse(Throwable failure) {
        Problem problem = Problem.of(failure);
        if (problem.status() >= 500) {
            problem = problem.withIncident(UUID.randomUUID().toString());
            log(problem, failure);
        }
        Response.ResponseBuilder response =
                Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
        if (problem.status() == 503) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        if (failure instanceof WebApplicationException web && web.getResponse().getStatus() == 405) {
            response.header(HttpHeaders.ALLOW, web.getResponse().getHeaderString(HttpHeaders.ALLOW));
        }
        return response.build();
    }

    /** An outage is told in one line each time: its traces would bury the log, with a page that asks every 5 seconds. */
    private static void log(Problem problem, Throwable failure) {
        String what = "admin request failed, incident " + problem.incident();
        if (problem.status() == 503) {
            LOG.log(Level.WARNING, what + ": " + rootOf(failure));
            LOG.log(Level.DEBUG, what, failure);
        } else {
            LOG.log(Level.ERROR, what, failure);
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
