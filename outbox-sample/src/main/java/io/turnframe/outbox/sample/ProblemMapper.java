package io.turnframe.outbox.sample;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Says a refusal as {@code application/problem+json} (RFC 9457). */
@Provider
public class ProblemMapper implements ExceptionMapper<TravelDeskException> {
    @Override
    public Response toResponse(TravelDeskException refusal) {
        return problem(refusal.status(), refusal.code(), refusal.getMessage()).build();
    }

    static Response.ResponseBuilder problem(int status, String code, String detail) {
        String title = Response.Status.fromStatusCode(status) == null
                ? "Refused"
                : Response.Status.fromStatusCode(status).getReasonPhrase();
        return Response.status(status)
                .type("application/problem+json")
                .entity(new Problem(title, status, code, detail));
    }

    /** The members of a problem. */
    public record Problem(String title, int status, String code, String detail) {}
}
