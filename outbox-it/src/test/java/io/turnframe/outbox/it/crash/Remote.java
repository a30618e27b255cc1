package io.turnframe.outbox.it.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes every request, keeps it by its key, and confirms it; but for those that it is to kill its client over. */
final class Remote implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<String>> bodies = new ConcurrentHashMap<>();

    private Set<String> fatal = Set.of();
    private Runnable kill;

    Remote() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::handle);
        http.setExecutor(threads);
        http.start();
    }

    String url() {
        return "http://localhost:" + http.getAddress().getPort() + "/requests";
    }

    /** Once each of these keys has come, calls {@code action} in place of answering any of them. */
    synchronized void killOver(Set<String> keys, Runnable action) {
        fatal = keys;
        kill = action;
    }

    synchronized void answerAll() {
        fatal = Set.of();
    }

    /** The bodies that came with a key, in order. */
    List<String> bodies(String key) {
        return List.copyOf(bodies.getOrDefault(key, List.of()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            bodies.computeIfAbsent(key, first -> new CopyOnWriteArrayList<>()).add(body);
            if (isAnswered(key)) {
                exchange.getResponseHeaders().set("Location", "/confirmed/" + key);
                exchange.sendResponseHeaders(201, -1);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isAnswered(String key) throws InterruptedException {
        if (!fatal.contains(key)) {
            return true;
        }
        notifyAll();
        while (!fatal.stream().allMatch(bodies::containsKey)) {
            wait();
        }
        kill.run();
        return false;
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
