package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.batch.http.hostile.Behaviour;
import io.turnframe.outbox.batch.http.hostile.BehaviourTable;
import io.turnframe.outbox.batch.http.hostile.Certificates;
import io.turnframe.outbox.batch.http.hostile.HostileRemote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sender against remotes that misbehave for real: each ends as the table in {@code docs/senders.md} says. */
@Timeout(60)
class HostileTest {
    @TempDir
    private static Path folder;

    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = new Certificates(folder);
    }

    @Test
    void theDocumentNamesEachBehaviour() throws IOException {
        assertThat(BehaviourTable.read().keySet())
                .containsExactlyElementsOf(
                        Arrays.stream(Behaviour.values()).map(Behaviour::label).toList());
    }

    @ParameterizedTest
    @EnumSource
    void endsAsDocumented(Behaviour behaviour) throws Exception {
        List<String> documented = BehaviourTable.read().get(behaviour.label());
        assertThat(documented).as("the row of the table").isNotNull();
        try (HostileRemote remote = new HostileRemote(behaviour, certificates);
                HttpSender sender = new HttpSender(Routes.route(remote.url(), remote.settings()))) {
            Dispatched answer =
                    sender.send(OutboxEntry.pending(new UUID(1, 1), "airline", "key-1", "{\"seat\":\"12A\"}"));
            assertThat(documented).contains(words(answer));
            assertThat(remote.requests())
                    .as("requests on the wire")
                    .isLessThanOrEqualTo(words(answer).contains(HttpSender.NOT_CONNECTED) ? 0 : 1);
        }
    }

    private static String words(Dispatched answer) {
        return switch (answer.kind()) {
            case COMPLETED -> "completed";
            case PERMANENT -> "permanent `" + ((Dispatched.Permanent) answer).code() + "`";
            case UNKNOWN -> "unknown";
            case RETRYABLE -> {
                Dispatched.Retryable retryable = (Dispatched.Retryable) answer;
                yield (retryable.isUnavailable() ? "unavailable `" : "retryable `") + retryable.code() + "`";
            }
        };
    }
}
