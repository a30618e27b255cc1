package io.turnframe.outbox.it.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.Outbox;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.Payloads;
import jakarta.annotation.Resource;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.naming.InitialContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every kind of value, from a business application to its sender and back; and every kind that is refused. */
@ExtendWith(ArquillianExtension.class)
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.initial-backoff=10ms",
    "outbox.dispatch.send-timeout=20s",
    "outbox.destinations=recording",
    "outbox.destination.recording.sender=" + RecordingSender.JNDI_NAME
})
class RemoteValuesIT {
    /** Not configured: what is enqueued for it is never sent. */
    private static final String UNROUTED = "remote-values-it";

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Resource(lookup = "java:comp/UserTransaction")
    private UserTransaction transaction;

    private Outbox outbox;

    @Deployment(name = "outbox", order = 1, testable = false)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(order = 2)
    static WebArchive application() {
        return Archives.application().addPackage(RemoteValuesIT.class.getPackage());
    }

    @BeforeEach
    void lookUp() throws Exception {
        outbox = InitialContext.doLookup(Outbox.JNDI_NAME);
    }

    @Test
    void givesEveryPayloadBackAsItWasGiven() throws Exception {
        for (Map.Entry<String, String> payload : Payloads.kept().entrySet()) {
            OutboxEntry entry = entry().payload(payload.getValue()).build();
            transaction.begin();
            outbox.enqueue(entry);
            assertSame(payload, outbox.get(entry.outboxId()).entry().payload());
            transaction.commit();
            assertSame(payload, outbox.get(entry.outboxId()).entry().payload());
            assertSame(
                    payload,
                    outbox.listForCommand(entry.commandId()).get(0).entry().payload());
        }
    }

    @Test
    void sendsEveryPayloadAsItWasGivenOnEveryAttempt() throws Exception {
        Map<OutboxEntry, Map.Entry<String, String>> sent = new LinkedHashMap<>();
        for (Map.Entry<String, String> payload : Payloads.kept().entrySet()) {
            sent.put(
                    entry().destination("recording").payload(payload.getValue()).build(), payload);
        }
        transaction.begin();
        for (OutboxEntry entry : sent.keySet()) {
            outbox.enqueue(entry);
        }
        transaction.commit();
        sent.forEach((entry, payload) -> {
            Awaitility.await(payload.getKey())
                    .atMost(PATIENCE)
                    .until(() -> outbox.get(entry.outboxId()).entry().status() == OutboxStatus.COMPLETED);
            List<String> received = RecordingSender.payloads(entry.idempotencyKey());
            assertThat(received).as(payload.getKey()).hasSize(2);
            received.forEach(text -> assertSame(payload, text));
        });
    }

    @Test
    void refusesEveryPayloadThatIsNotOneJsonValue() throws Exception {
        for (Map.Entry<String, String> payload : Payloads.refused().entrySet()) {
            assertRefused("payload: " + payload.getKey(), entry -> entry.payload(payload.getValue()));
        }
    }

    @Test
    void refusesEveryOtherValueThatIsOutsideTheContract() throws Exception {
        for (String blank : List.of("", " ", "\t", "\u2003")) {
            assertRefused("a blank destination", entry -> entry.destination(blank));
            assertRefused("a blank key", entry -> entry.idempotencyKey(blank));
        }
        assertRefused("a destination of 201", entry -> entry.destination("d".repeat(201)));
        assertRefused("a destination of 300", entry -> entry.destination("d".repeat(300)));
        assertRefused("a key of 256", entry -> entry.idempotencyKey("k".repeat(256)));
        for (String control : List.of("\u0000", "\r", "\n", "\r\n", "\t", "\u001B", "\u007F", "\u0085")) {
            String name = String.format("U+%04X", (int) control.charAt(0));
            assertRefused("a key with " + name, entry -> entry.idempotencyKey("a" + control + "b"));
            assertRefused("a key that ends with " + name, entry -> entry.idempotencyKey("a" + control));
            assertRefused("a destination with " + name, entry -> entry.destination("a" + control + "b"));
        }
        assertRefused("one attempt", entry -> entry.attemptCount(1));
        assertRefused("completed", entry -> entry.status(OutboxStatus.COMPLETED));
        assertRefused("completedAt", entry -> entry.completedAt(Instant.EPOCH));
    }

    /** On Payara the call itself is refused, where it is written for the other side. */
    @Test
    @Tag("wildfly")
    void refusesHalfOfASurrogatePair() throws Exception {
        for (Map.Entry<String, String> payload : Payloads.halves().entrySet()) {
            assertRefused("payload: " + payload.getKey(), entry -> entry.payload(payload.getValue()));
        }
        assertRefused("a key with a half", entry -> entry.idempotencyKey("a\uD83Db"));
        assertRefused("a key that ends with a half", entry -> entry.idempotencyKey("a\uD83D"));
        assertRefused("a destination with a half", entry -> entry.destination("a\uD83Db"));
    }

    /** They cannot even be built. */
    @Test
    void refusesInstantsOutsideTheCalendarAndAbsentParts() {
        for (String instant :
                List.of("0001-01-01T00:00:00Z", "1599-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", Instant.MAX + "")) {
            assertUnbuildable(entry -> entry.createdAt(Instant.parse(instant)));
            assertUnbuildable(entry -> entry.nextAttemptAt(Instant.parse(instant)));
        }
        assertUnbuildable(entry -> entry.outboxId(null));
        assertUnbuildable(entry -> entry.commandId(null));
        assertUnbuildable(entry -> entry.destination(null));
        assertUnbuildable(entry -> entry.idempotencyKey(null));
        assertUnbuildable(entry -> entry.payload(null));
        assertUnbuildable(entry -> entry.createdAt(null));
        assertUnbuildable(entry -> entry.status(null));
    }

    @Test
    void refusesNullAndLetsTheCallerCommit() throws Exception {
        OutboxEntry other = entry().build();
        transaction.begin();
        assertInvalid("null", () -> outbox.enqueue(null));
        assertInvalid("no list", () -> outbox.enqueueAll(null));
        assertInvalid("null in a list", () -> outbox.enqueueAll(Arrays.asList(other, null)));
        assertInvalid("null", () -> outbox.get(null));
        assertInvalid("null", () -> outbox.listForCommand(null));
        assertThat(outbox.listForCommand(other.commandId())).isEmpty();
        outbox.enqueue(other);
        transaction.commit();
        assertThat(outbox.get(other.outboxId()).entry()).isEqualTo(other);
    }

    @Test
    void tellsKeysAndDestinationsApartByteByByte() throws Exception {
        String base = UUID.randomUUID().toString();
        List<OutboxEntry> entries = new ArrayList<>();
        for (String end : List.of(
                "k", "K", "k ", " k", "k  ", "\u00E9", "e\u0301", "e", "\u00DF", "ss", "\u0130", "i", "\u212A")) {
            entries.add(entry().idempotencyKey(base + end).build());
            entries.add(entry().destination(base + end).idempotencyKey("key").build());
        }
        transaction.begin();
        for (OutboxEntry entry : entries) {
            outbox.enqueue(entry);
        }
        transaction.commit();
        for (OutboxEntry entry : entries) {
            assertThat(outbox.get(entry.outboxId()).entry()).isEqualTo(entry);
        }
    }

    /** Refused by name, written nowhere, alone and among others; and the caller may commit the rest. */
    private void assertRefused(String what, UnaryOperator<OutboxEntry.Builder> change) throws Exception {
        OutboxEntry invalid = change.apply(entry()).build();
        OutboxEntry beside = entry().build();
        OutboxEntry other = entry().build();
        transaction.begin();
        assertInvalid(what, () -> outbox.enqueue(invalid));
        assertInvalid(what, () -> outbox.enqueueAll(List.of(beside, invalid)));
        assertThat(transaction.getStatus()).as(what).isEqualTo(Status.STATUS_ACTIVE);
        outbox.enqueue(other);
        transaction.commit();
        assertThat(outbox.listForCommand(invalid.commandId())).as(what).isEmpty();
        assertThat(outbox.listForCommand(beside.commandId())).as(what).isEmpty();
        assertThat(outbox.listForCommand(other.commandId())).as(what).hasSize(1);
    }

    private static void assertUnbuildable(UnaryOperator<OutboxEntry.Builder> change) {
        assertInvalid("a builder", () -> change.apply(entry()).build());
    }

    private static void assertInvalid(String what, ThrowingCallable call) {
        OutboxException refusal = catchThrowableOfType(OutboxException.class, call);
        assertThat(refusal).as(what).isExactlyInstanceOf(InvalidRecordException.class);
        assertThat(refusal.code()).isEqualTo("turnframe.store.invalid_record");
        assertThat(refusal.getMessage()).as(what).hasSizeLessThan(200);
    }

    /** Not assertThat(text): megabytes would stand in the message. */
    private static void assertSame(Map.Entry<String, String> payload, String actual) {
        assertThat(actual.equals(payload.getValue())).as(payload.getKey()).isTrue();
    }

    private static OutboxEntry.Builder entry() {
        return OutboxEntry.pending(UUID.randomUUID(), UNROUTED, "key-" + UUID.randomUUID(), "{}").toBuilder();
    }
}
