package io.turnframe.outbox.sample;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Says a refusal as {@code application/problem+json} (RFC 9457). */
@Provider
public class ProblemMapper implements ExceptionMapper<TravelDeskException> {
    @Override
    public Response toResponse(TravelDeskException refusal) {
        String booking = refusal.booking() == null ? null : refusal.booking().toString();
        return problem(refusal.status(), refusal.code(), refusal.getMessage(), booking)
                .build();
    }

    static Response.ResponseBuilder problem(int status, String code, String detail) {
        return problem(status, code, detail, null);
    }

    private static Response.ResponseBuilder problem(int status, String code, String detail, String booking) {
        return Response.status(status)
                .type("application/problem+json")
                .entity(new Problem(status, code, detail, booking));
    }

    /**
     * The members of a problem.
     *
     * @param booking the id of the booking it is about, or null
     */
    public record Problem(int status, String code, String detail, String booking) {}
}
