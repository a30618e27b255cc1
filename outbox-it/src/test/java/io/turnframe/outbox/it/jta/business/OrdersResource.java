package io.turnframe.outbox.it.jta.business;

import io.turnframe.outbox.OutboxEntry;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;

/** The orders over HTTP, for a test that outlives the server. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class OrdersResource {
    @Inject
    private Orders orders;

    @PUT
    @Path("books/{books}")
    public void open(@PathParam("books") Books books) {
        orders.open(books);
    }

    /**
     * Its entry's key is the order's id, so that a client can ask for a duplicate.
     *
     * @param point where its transaction stops for good, or null to let it commit
     */
    @PUT
    @Path("orders/{books}/{order}")
    public void place(
            @PathParam("books") Books books, @PathParam("order") UUID order, @QueryParam("hang") Hang.Point point) {
        List<OutboxEntry> entries = List.of(Entries.of(order, order.toString()));
        if (point == null) {
            orders.place(books, order, entries);
        } else {
            orders.placeAndHang(books, order, entries, point);
        }
    }

    @GET
    @Path("orders/{books}/{order}")
    public JsonObject find(@PathParam("books") Books books, @PathParam("order") UUID order) {
        return Json.createObjectBuilder()
                .add("written", orders.isWritten(books, order))
                .add("entries", orders.entries(order))
                .build();
    }

    @GET
    @Path("server")
    public JsonObject server() {
        return Json.createObjectBuilder()
                .add("pid", ProcessHandle.current().pid())
                .add(
                        "hanging",
                        Json.createArrayBuilder(
                                Hang.hanging().stream().map(UUID::toString).toList()))
                .build();
    }

    /** A pass of WildFly's transaction recovery, which answers when it has ended. */
    @POST
    @Path("recovery")
    public void recover() throws ReflectiveOperationException {
        Class<?> type = Class.forName("com.arjuna.ats.arjuna.recovery.RecoveryManager");
        type.getMethod("scan").invoke(type.getMethod("manager").invoke(null));
    }

    @ApplicationPath("api")
    public static class Api extends Application {}
}
