package io.turnframe.outbox.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
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
            LOG.log(System.Logger.Level.ERROR, "admin request failed, incident " + problem.incident(), failure);
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
}
