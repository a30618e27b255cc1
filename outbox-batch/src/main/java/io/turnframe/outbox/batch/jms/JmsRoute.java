package io.turnframe.outbox.batch.jms;

import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.store.ConfigValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * To where and how the entries of one destination are sent as messages.
 *
 * @param key the configuration key of {@code place}, for messages
 * @param place the JNDI name of the queue or topic
 * @param factory the JNDI name of the connection factory; null: the server's own
 * @param group which value of the entry groups messages, as {@code command_id}; null: none does
 * @param properties further properties of every message
 * @param xa whether message and settlement are one transaction
 */
public record JmsRoute(String key, String place, String factory, String group, Map<String, String> properties, Xa xa) {
    /** Whether message and settlement are one transaction. */
    public enum Xa {
        /** If the server says that data source and connection factory can be. */
        AUTO,
        TRUE,
        FALSE
    }

    static final String KEY = "idempotency_key";
    static final String OUTBOX_ID = "outbox_id";
    static final String COMMAND_ID = "command_id";
    static final String DESTINATION = "destination";

    /** Artemis drops, or refuses, a second message with the same value at one address. */
    static final String DUPLICATE_DETECTION = "_AMQ_DUPL_ID";

    /** The connection factory that joins transactions: WildFly's name of it, then that which every server must have. */
    private static final List<String> SERVERS_OWN = List.of("java:/JmsXA", "java:comp/DefaultJMSConnectionFactory");

    private static final Map<String, Function<OutboxEntry, String>> GROUPS = Map.of(
            COMMAND_ID,
            entry -> entry.commandId().toString(),
            OUTBOX_ID,
            entry -> entry.outboxId().toString(),
            KEY,
            OutboxEntry::idempotencyKey);

    private static final Set<String> TAKEN = Set.of(KEY, OUTBOX_ID, COMMAND_ID, DESTINATION, DUPLICATE_DETECTION);

    /** What selectors could not name. */
    private static final Pattern WORD = Pattern.compile("(?i)NULL|TRUE|FALSE|NOT|AND|OR|BETWEEN|LIKE|IN|IS|ESCAPE");

    private static final Pattern NAME = Pattern.compile("(?!JMS)[A-Za-z_$][A-Za-z0-9_$]*");

    /**
     * Reads the keys below {@code prefix}.
     *
     * @throws IllegalArgumentException naming key, value and remedy
     */
    public static JmsRoute read(String prefix, ConfigValues values) {
        Optional<String> queue = values.text(prefix + "queue");
        Optional<String> topic = values.text(prefix + "topic");
        if (queue.isPresent() == topic.isPresent()) {
            throw new IllegalArgumentException(
                    prefix + "queue and " + prefix + "topic are " + (queue.isPresent() ? "both set" : "not set")
                            + "; a jms destination needs one of them, the JNDI name");
        }
        String group = values.text(prefix + "group").orElse(null);
        if (group != null && !GROUPS.containsKey(group)) {
            throw new IllegalArgumentException(prefix + "group is '" + group + "'; write one of "
                    + String.join(", ", GROUPS.keySet().stream().sorted().toList()));
        }
        return new JmsRoute(
                prefix + (queue.isPresent() ? "queue" : "topic"),
                queue.or(() -> topic).orElseThrow(),
                values.text(prefix + "connection-factory").orElse(null),
                group,
                properties(prefix, values),
                xa(prefix + "xa", values));
    }

    private static Map<String, String> properties(String prefix, ConfigValues values) {
        String list = values.text(prefix + "properties").orElse("");
        Map<String, String> properties = new LinkedHashMap<>();
        for (String listed : list.isEmpty() ? List.<String>of() : List.of(list.split(",", -1))) {
            String name = listed.strip();
            if (!NAME.matcher(name).matches() || WORD.matcher(name).matches() || TAKEN.contains(name)) {
                throw new IllegalArgumentException(prefix + "properties lists '" + name
                        + "'; write names that Java would allow, none of a selector's words, none that begins with JMS, and not "
                        + String.join(", ", TAKEN.stream().sorted().toList()));
            }
            String key = prefix + "property." + name;
            properties.put(
                    name,
                    values.text(key)
                            .orElseThrow(() -> new IllegalArgumentException(key + " is not set; set it, or leave '"
                                    + name + "' out of " + prefix + "properties")));
        }
        return properties;
    }

    private static Xa xa(String key, ConfigValues values) {
        String value = values.text(key).orElse("auto");
        for (Xa xa : Xa.values()) {
            if (xa.name().toLowerCase(Locale.ROOT).equals(value)) {
                return xa;
            }
        }
        throw new IllegalArgumentException(key + " is '" + value + "'; write auto, true or false");
    }

    /** The JNDI names of the connection factory: the first that there is. */
    public List<String> factories() {
        return factory == null ? SERVERS_OWN : List.of(factory);
    }

    /** What goes with the message of an entry, in the order of the names. */
    Map<String, String> propertiesOf(OutboxEntry entry) {
        Map<String, String> all = new TreeMap<>(properties);
        all.put(KEY, entry.idempotencyKey());
        all.put(DUPLICATE_DETECTION, entry.idempotencyKey());
        all.put(OUTBOX_ID, entry.outboxId().toString());
        all.put(COMMAND_ID, entry.commandId().toString());
        all.put(DESTINATION, entry.destination());
        if (group != null) {
            all.put("JMSXGroupID", GROUPS.get(group).apply(entry));
        }
        return all;
    }

    /** Where its entries go, as an operator reads it. */
    public String shown() {
        return "jms " + place;
    }
}
