package io.turnframe.outbox.it.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Takes every request and keeps it by its key; confirms it, refuses it, or lets it wait, as the test says. Asked with
 * {@code GET …?key=…} it tells whether it has a request with that key.
 */
final class Remote implements AutoCloseable {
    /** What becomes of a request. */
    enum Answer {
        /** 201. */
        CONFIRM,
        /** 429. */
        BUSY,
        /** 401. */
        UNAUTHORIZED,
        /** No answer until the test says so. */
        NONE
    }

    private final HttpServer http;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final long millis;

    private final Map<String, List<String>> bodies = new HashMap<>();
    private final Map<String, HttpExchange> waiting = new LinkedHashMap<>();
    private Function<String, Answer> behaviour = key -> Answer.CONFIRM;

    private int inFlight;
    private int mostInFlight;

    /** @param millis what it takes to an answer */
    Remote(long millis) {
        this(millis, 0);
    }

    /**
     * @param millis what it takes to an answer
     * @param port where it listens; 0 for any that is free
     */
    Remote(long millis, int port) {
        this.millis = millis;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        http.createContext("/", this::handle);
        http.start();
    }

    String url() {
        return "http://localhost:" + http.getAddress().getPort() + "/requests";
    }

    /** From now on; the function is given the key, once for each request, by one thread at a time. */
    synchronized void behave(Function<String, Answer> wanted) {
        behaviour = wanted;
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            try (exchange) {
                boolean known =
                        bodies.containsKey(exchange.getRequestURI().getQuery().substring("key=".length()));
                exchange.sendResponseHeaders(known ? 200 : 404, -1);
            }
            return;
        }
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        bodies.computeIfAbsent(key, first -> new ArrayList<>()).add(body);
        mostInFlight = Math.max(mostInFlight, ++inFlight);
        Answer answer = behaviour.apply(key);
        if (answer == Answer.NONE) {
            waiting.put(key, exchange);
        } else if (millis == 0) {
            answer(key, exchange, answer);
        } else {
            thread.schedule(() -> answer(key, exchange, answer), millis, TimeUnit.MILLISECONDS);
        }
    }

    /** The number of the request is in the reference. */
    private synchronized void answer(String key, HttpExchange exchange, Answer answer) {
        inFlight--;
        // A connection of its own for each: one that has been idle may close as it is used.
        exchange.getResponseHeaders().set("Connection", "close");
        exchange.getResponseHeaders()
                .set("Location", "/" + key + "/" + bodies.get(key).size());
        try (exchange) {
            int status = switch (answer) {
                case CONFIRM -> 201;
                case BUSY -> 429;
                case UNAUTHORIZED -> 401;
                case NONE -> throw new IllegalArgumentException("that is no answer");
            };
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException gone) {
            // Whoever asked no longer listens: what it makes of that is what is tested.
            exchange.close();
        }
    }

    /** The keys of those that wait for an answer. */
    synchronized Set<String> waiting() {
        return new HashSet<>(waiting.keySet());
    }

    /** Confirms those that wait, but for one. */
    synchronized void confirmWaitingBut(String key) {
        HttpExchange kept = waiting.remove(key);
        waiting.forEach((each, exchange) -> answer(each, exchange, Answer.CONFIRM));
        waiting.clear();
        if (kept != null) {
            waiting.put(key, kept);
        }
    }

    void confirmWaiting() {
        confirmWaitingBut(null);
    }

    /** Hangs up on those that wait. */
    synchronized void dropWaiting() {
        inFlight -= waiting.size();
        waiting.values().forEach(HttpExchange::close);
        waiting.clear();
    }

    /** The bodies that came with a key, in order. */
    synchronized List<String> bodies(String key) {
        return List.copyOf(bodies.getOrDefault(key, List.of()));
    }

    /** How many requests it had taken and not answered, at most. */
    synchronized int mostInFlight() {
        return mostInFlight;
    }

    /** The keys that begin so, of all requests. */
    synchronized Set<String> seen(String prefix) {
        Set<String> seen = new HashSet<>(bodies.keySet());
        seen.removeIf(key -> !key.startsWith(prefix));
        return seen;
    }

    @Override
    public void close() {
        dropWaiting();
        http.stop(0);
        thread.shutdownNow();
    }
}
