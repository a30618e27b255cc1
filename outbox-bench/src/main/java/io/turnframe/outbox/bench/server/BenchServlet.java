package io.turnframe.outbox.bench.server;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** One measurement for each request, as the path says; answers numbers as JSON. */
@WebServlet("/measure/*")
public class BenchServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource(lookup = "java:/jdbc/BenchDS")
    private transient DataSource dataSource;

    @EJB
    private transient Enqueuer enqueuer;

    @Inject
    private transient Workers workers;

    @Inject
    private transient Latency latency;

    /** An enqueue of {@code count} rows under a key that no other call has. */
    @FunctionalInterface
    private interface Enqueue {
        void rows(String key, int count) throws Exception;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        JsonObjectBuilder answer = Json.createObjectBuilder();
        try {
            switch (request.getPathInfo()) {
                case "/drain/jdbc" -> answer.add("seconds", drainFloor(request));
                case "/drain/db-scheduler" -> answer.add("seconds", drainPeer(request));
                case "/enqueue/outbox" ->
                    answer.add("seconds", enqueue(request, (key, count) -> enqueuer.enqueue("stored", key, count)));
                case "/enqueue/jdbc" -> answer.add("seconds", enqueue(request, new Floor(dataSource)::enqueue));
                case "/enqueue/db-scheduler" -> {
                    SchedulerClient client = new Peer(dataSource).client();
                    answer.add("seconds", enqueue(request, (key, count) -> Peer.enqueue(client, key, count)));
                }
                case "/latency" -> latencies(request, answer);
                case "/heap" -> answer.add("bytes", heap());
                default -> throw new ServletException("nothing is measured at " + request.getPathInfo());
            }
        } catch (ServletException | IOException asItIs) {
            throw asItIs;
        } catch (Exception failed) {
            throw new ServletException(failed);
        }
        response.setContentType("application/json");
        response.getWriter().print(answer.build());
    }

    private double drainFloor(HttpServletRequest request) throws Exception {
        Floor floor = new Floor(dataSource);
        int batch = number(request, "batch");
        boolean marked = Boolean.parseBoolean(request.getParameter("marked"));
        return seconds(workers.run(number(request, "threads"), thread -> floor.drain(batch, marked)));
    }

    private double drainPeer(HttpServletRequest request) throws Exception {
        return seconds(new Peer(dataSource)
                .drain(number(request, "batch"), number(request, "threads"), number(request, "sleep")));
    }

    private double enqueue(HttpServletRequest request, Enqueue enqueue) throws Exception {
        int perTransaction = number(request, "per");
        int transactions = number(request, "rows") / perTransaction;
        String prefix = Long.toString(System.nanoTime(), Character.MAX_RADIX) + "-";
        AtomicInteger next = new AtomicInteger();
        return seconds(workers.run(number(request, "threads"), thread -> {
            for (int i; (i = next.getAndIncrement()) < transactions; ) {
                enqueue.rows(prefix + i, perTransaction);
            }
        }));
    }

    private void latencies(HttpServletRequest request, JsonObjectBuilder answer) throws Exception {
        Latency.Latencies measured =
                latency.measure(dataSource, "stamped", number(request, "rate"), number(request, "seconds"));
        answer.add("commit_to_send", array(measured.commitToSend()));
        answer.add("answer_to_settled", array(measured.answerToSettled()));
    }

    private static JsonArrayBuilder array(List<Double> values) {
        JsonArrayBuilder array = Json.createArrayBuilder();
        values.forEach(array::add);
        return array;
    }

    /** After two collections: the first may leave what has to be finalized. */
    private static long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static int number(HttpServletRequest request, String name) {
        return Integer.parseInt(request.getParameter(name));
    }
}
