package io.turnframe.outbox.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The server's error page: what never reaches the resource (no user, no such file) answers in problem details too. */
public class ProblemServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // Asked for directly, there is no error to show.
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        response.setStatus(status);
        response.setContentType(Problem.MEDIA_TYPE);
        response.getOutputStream()
                .write(OutboxJson.JSONB.toJson(Problem.ofStatus(status)).getBytes(StandardCharsets.UTF_8));
    }
}
