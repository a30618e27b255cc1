package io.turnframe.outbox.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;
import org.jboss.arquillian.test.spi.event.suite.AfterClass;

/** Keeps what servers tell Prometheus, for {@link LeakCheck}: after each class, as long as its deployments are there. */
public final class Metrics implements LoadableExtension {
    static final String FOLDER = "metrics";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(Keeper.class);
    }

    /** Before the deployments go, at precedence 0. */
    static final class Keeper {
        private static final int BEFORE_UNDEPLOYMENTS = 100;

        void keep(@Observes(precedence = BEFORE_UNDEPLOYMENTS) AfterClass event) {
            Metrics.keep(
                    TestServer.kind() + "-" + System.getProperty("it.database") + "-"
                            + event.getTestClass().getName(),
                    TestServer.server().url("/outbox/api"));
        }
    }

    /**
     * Keeps them under this name; nothing, if the outbox does not answer there.
     *
     * @param api where the outbox's resource is
     */
    public static void keep(String name, String api) {
        String operator = "operator:" + System.getProperty("it.operator.password");
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + "/metrics"))
                .timeout(PATIENCE)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(operator.getBytes(StandardCharsets.UTF_8)))
                .build();
        HttpResponse<String> answer;
        try {
            HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
            answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException nobody) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        if (answer.statusCode() != 200) {
            return;
        }
        try {
            Files.writeString(Tool.directory(FOLDER).resolve(name + ".txt"), answer.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
