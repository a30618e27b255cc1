package com.example.crm;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Crm implements OutboxSender {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private final URI url;

    public Crm(URI url) {
        this.url = url;
    }

    @Override
    public Dispatched send(OutboxEntry entry) {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(20))
                .header("Idempotency-Key", entry.idempotencyKey())
                .POST(HttpRequest.BodyPublishers.ofString(entry.payload()))
                .build();
        try {
            int status =
                    HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return switch (status) {
                case 200, 201 -> Dispatched.completed();
                case 422 -> Dispatched.permanent("crm.refused");
                case 429 -> Dispatched.retryable("crm.busy");
                default -> Dispatched.unknown();
            };
        } catch (IOException lost) {
            return Dispatched.unknown();
        } catch (InterruptedException deadline) {
            Thread.currentThread().interrupt();
            return Dispatched.unknown();
        }
    }
}
