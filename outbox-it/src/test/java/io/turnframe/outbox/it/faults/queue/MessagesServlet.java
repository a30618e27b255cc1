package io.turnframe.outbox.it.faults.queue;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/** {@code GET}: takes all messages, a line for each, key, command, group and text, with blanks between them. */
@WebServlet("/")
public class MessagesServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final long NO_MORE_MS = 3_000;

    @Resource(lookup = "java:/ConnectionFactory")
    private transient ConnectionFactory factory;

    @Resource(lookup = "java:/jms/queue/OutboxTest")
    private transient Queue queue;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setContentType("text/plain");
        PrintWriter lines = response.getWriter();
        try (JMSContext context = factory.createContext();
                JMSConsumer messages = context.createConsumer(queue)) {
            for (Message message; (message = messages.receive(NO_MORE_MS)) != null; ) {
                lines.println(String.join(
                        " ",
                        message.getStringProperty("idempotency_key"),
                        message.getStringProperty("command_id"),
                        message.getStringProperty("JMSXGroupID"),
                        message.getBody(String.class)));
            }
        } catch (JMSException failed) {
            throw new ServletException(failed);
        }
    }
}
