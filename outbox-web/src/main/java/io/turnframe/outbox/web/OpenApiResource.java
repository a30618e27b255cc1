package io.turnframe.outbox.web;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of this resource for programs: OpenAPI 3. */
@Path("openapi.json")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.PAYLOAD, Roles.ENQUEUER})
public class OpenApiResource {
    /** The document, as it is in the archive. */
    @GET
    public byte[] document(@Context UriInfo uri) {
        Parameters.none(uri);
        return read();
    }

    static byte[] read() {
        try (InputStream document = OpenApiResource.class.getResourceAsStream("openapi.json")) {
            return document.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
