package io.turnframe.outbox.it.admin;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Removes what no call removes: entries of destinations that begin so. Later tests count destinations, too. */
@WebServlet("/entries")
public class EntriesServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource(lookup = "java:/jdbc/OutboxDS")
    private transient DataSource dataSource;

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM tf_outbox WHERE destination LIKE ?")) {
            delete.setString(1, request.getParameter("destinations") + "%");
            delete.executeUpdate();
        } catch (SQLException failed) {
            throw new ServletException(failed);
        }
    }
}
