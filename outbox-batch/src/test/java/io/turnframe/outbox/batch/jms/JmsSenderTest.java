package io.turnframe.outbox.batch.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.store.ConfigValues;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What goes into a message, how a send ends, and which keys are refused. */
class JmsSenderTest {
    private static final String PREFIX = "outbox.destination.d.";
    private static final OutboxEntry ENTRY = OutboxEntry.pending(new UUID(1, 2), "d", "key-1", "{\"a\": 1}");

    private final Map<String, Object> properties = new HashMap<>();
    private RuntimeException connecting;
    private RuntimeException sending;
    private String text;
    private Object sentTo;
    private boolean closed;

    @Test
    void sendsThePayloadWithKeyAndIds() {
        Dispatched answer = sender(Map.of(
                        "queue", "java:/jms/queue/Q",
                        "group", "command_id",
                        "properties", "tenant, kind",
                        "property.tenant", "7",
                        "property.kind", "booking"))
                .send(ENTRY);
        assertThat(((Dispatched.Completed) answer).remoteRef()).isEqualTo("ID:1");
        assertThat(text).isEqualTo("{\"a\": 1}");
        assertThat(properties)
                .containsOnly(
                        Map.entry("idempotency_key", "key-1"),
                        Map.entry("_AMQ_DUPL_ID", "key-1"),
                        Map.entry("outbox_id", ENTRY.outboxId().toString()),
                        Map.entry("command_id", ENTRY.commandId().toString()),
                        Map.entry("destination", "d"),
                        Map.entry("JMSXGroupID", ENTRY.commandId().toString()),
                        Map.entry("tenant", "7"),
                        Map.entry("kind", "booking"));
        assertThat(sentTo).isSameAs(PLACE);
        assertThat(closed).isTrue();
    }

    @Test
    void groupsNothingUnlessToldSo() {
        sender(Map.of("topic", "java:/jms/topic/T")).send(ENTRY);
        assertThat(properties).doesNotContainKey("JMSXGroupID");
    }

    @Test
    void isUnavailableWithoutAConnectionAndThrowsOnceAMessageMayHaveLeft() {
        JmsSender sender = sender(Map.of("queue", "Q"));
        connecting = new JMSRuntimeException("away");
        Dispatched.Retryable answer = (Dispatched.Retryable) sender.send(ENTRY);
        assertThat(answer.code()).isEqualTo("turnframe.jms.not_connected");
        assertThat(answer.isUnavailable()).isTrue();
        connecting = null;
        sending = new JMSRuntimeException("lost");
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> sender.send(ENTRY));
        assertThat(closed).isTrue();
    }

    @Test
    void refusesWhatCannotBeMeantNamingKeyAndRemedy() {
        refuses(Map.of(), PREFIX + "queue and " + PREFIX + "topic are not set; a jms destination needs one of them");
        refuses(Map.of("queue", "Q", "topic", "T"), PREFIX + "queue and " + PREFIX + "topic are both set");
        refuses(
                Map.of("queue", "Q", "group", "customer"),
                PREFIX + "group is 'customer'; write one of command_id, idempotency_key, outbox_id");
        refuses(Map.of("queue", "Q", "xa", "yes"), PREFIX + "xa is 'yes'; write auto, true or false");
        refuses(Map.of("queue", "Q", "properties", "a"), PREFIX + "property.a is not set");
        for (String name : new String[] {"JMSType", "a-b", "1a", "", "null", "outbox_id", "_AMQ_DUPL_ID"}) {
            refuses(Map.of("queue", "Q", "properties", "x," + name, "property.x", "1"), "lists '" + name + "'");
        }
    }

    @Test
    void usesTheServersOwnConnectionFactoryUnlessOneIsNamed() {
        assertThat(route(Map.of("queue", "Q")).factories())
                .containsExactly("java:/JmsXA", "java:comp/DefaultJMSConnectionFactory");
        assertThat(route(Map.of("queue", "Q", "connection-factory", "java:/Other"))
                        .factories())
                .containsExactly("java:/Other");
    }

    private static void refuses(Map<String, String> values, String sentence) {
        assertThatIllegalArgumentException().isThrownBy(() -> route(values)).withMessageContaining(sentence);
    }

    private static JmsRoute route(Map<String, String> values) {
        return JmsRoute.read(
                PREFIX,
                new ConfigValues(
                        key -> Optional.ofNullable(values.get(key.substring(PREFIX.length()))),
                        UnaryOperator.identity()));
    }

    private JmsSender sender(Map<String, String> values) {
        ConnectionFactory factory = fake(ConnectionFactory.class, (proxy, method, arguments) -> {
            if (connecting != null) {
                throw connecting;
            }
            return context();
        });
        return new JmsSender(route(values), factory, PLACE);
    }

    private static final Destination PLACE = fake(Destination.class, (proxy, method, arguments) -> "place");

    private JMSContext context() {
        return fake(JMSContext.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "createTextMessage" -> message((String) arguments[0]);
            case "createProducer" -> producer();
            case "close" -> {
                closed = true;
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private TextMessage message(String content) {
        text = content;
        return fake(TextMessage.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "setStringProperty" -> properties.put((String) arguments[0], arguments[1]);
            case "getJMSMessageID" -> "ID:1";
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private JMSProducer producer() {
        return fake(JMSProducer.class, (proxy, method, arguments) -> {
            if (sending != null) {
                throw sending;
            }
            sentTo = arguments[0];
            return proxy;
        });
    }

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
