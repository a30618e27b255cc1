package io.turnframe.outbox.it.reconcile;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tells which payloads {@link SilentRemote} got with a key. */
@WebServlet("/requests")
public class RequestsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JsonArrayBuilder payloads = Json.createArrayBuilder();
        SilentRemote.requests(request.getParameter("key")).forEach(payloads::add);
        response.setContentType("application/json");
        response.getWriter()
                .write(Json.createObjectBuilder()
                        .add("payloads", payloads)
                        .build()
                        .toString());
    }
}
