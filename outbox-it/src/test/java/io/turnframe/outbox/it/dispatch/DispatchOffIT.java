package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.TestServer;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import java.time.Duration;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With dispatch off, as it is until the deployer says otherwise. */
@Tag("dispatcher")
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Configured("outbox.dispatch.tick=100ms")
class DispatchOffIT extends WithTravelDesk {
    /** Thirty ticks, if there were any. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final TestServer server = TestServer.server();
    private final Desk desk = new Desk(server);

    @Test
    void sendsNothingUntilAnOperatorPostsADispatch() {
        UUID booking = desk.book("accept");
        assertNothingIsSent(booking);
        assertThat(desk.dispatch().getJsonNumber("execution_id").longValue()).isPositive();
        assertSent(booking);
    }

    /** Payara's console lists jobs and starts none. */
    @Test
    @Tag("wildfly")
    void sendsNothingUntilTheServersConsoleStartsTheJob() {
        UUID booking = desk.book("accept");
        assertNothingIsSent(booking);
        server.startDispatchJob();
        assertSent(booking);
    }

    private void assertNothingIsSent(UUID booking) {
        await().during(QUIET)
                .atMost(QUIET.multipliedBy(3))
                .until(() -> desk.status(booking).equals("pending")
                        && desk.request(booking).getInt("attempts") == 0
                        && desk.requestsAtTheAirline(booking) == 0);
    }

    private void assertSent(UUID booking) {
        desk.await(booking, "completed");
        assertThat(desk.requestsAtTheAirline(booking)).isEqualTo(1);
    }
}
