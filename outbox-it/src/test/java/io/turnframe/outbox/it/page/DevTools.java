package io.turnframe.outbox.it.page;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A browser's DevTools protocol: commands with their answers, and events, by session. */
final class DevTools implements WebSocket.Listener, AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonObject>> listeners = new ConcurrentHashMap<>();
    private final StringBuilder received = new StringBuilder();
    private final WebSocket socket;

    DevTools(String address) {
        socket = await(
                HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address), this), "connect");
    }

    /** Has a session's events, as {@code {"method":…,"params":…}}, told. */
    void listen(String session, Consumer<JsonObject> listener) {
        listeners.put(session, listener);
    }

    /**
     * Sends a command and waits for its result.
     *
     * @param session null for the browser itself
     */
    JsonObject call(String session, String method, JsonObject parameters) {
        int id = ids.incrementAndGet();
        JsonObjectBuilder command =
                Json.createObjectBuilder().add("id", id).add("method", method).add("params", parameters);
        if (session != null) {
            command.add("sessionId", session);
        }
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        await(socket.sendText(command.build().toString(), true), method);
        JsonObject told = await(answer, method);
        if (told.containsKey("error")) {
            throw new IllegalStateException(method + " failed: " + told.get("error"));
        }
        return told.getJsonObject("result");
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        received.append(part);
        if (last) {
            JsonObject message =
                    Json.createReader(new StringReader(received.toString())).readObject();
            received.setLength(0);
            take(message);
        }
        from.request(1);
        return null;
    }

    private void take(JsonObject message) {
        if (message.containsKey("id")) {
            waiting.remove(message.getInt("id")).complete(message);
        } else {
            listeners
                    .getOrDefault(message.getString("sessionId", ""), event -> {})
                    .accept(message);
        }
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        waiting.values().forEach(answer -> answer.completeExceptionally(failure));
    }

    @Override
    public void close() {
        socket.abort();
    }

    private static <T> T await(CompletableFuture<T> answer, String what) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the browser did not " + what, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
