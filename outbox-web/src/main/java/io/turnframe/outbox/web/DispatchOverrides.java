package io.turnframe.outbox.web;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.batch.DispatchJobs;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one run does otherwise than the configuration says: a flat JSON object that names components of
 * {@link DispatchConfig} in snake case, or {@code partitions}.
 */
final class DispatchOverrides {
    private static final Map<String, String> PROPERTIES = Stream.concat(
                    Arrays.stream(DispatchConfig.class.getRecordComponents()).map(RecordComponent::getName),
                    Stream.of(DispatchJobs.PARTITIONS))
            .collect(Collectors.toMap(DispatchOverrides::snakeCase, Function.identity()));

    /** The properties that are numbers. */
    private static final Set<String> NUMBERS = Stream.concat(
                    Arrays.stream(DispatchConfig.class.getRecordComponents())
                            .filter(component -> component.getType().isPrimitive())
                            .map(RecordComponent::getName),
                    Stream.of(DispatchJobs.PARTITIONS))
            .collect(Collectors.toUnmodifiableSet());

    private DispatchOverrides() {}

    /**
     * The job's properties; none for an empty body.
     *
     * @throws AdminException if the body is no such object
     */
    static Properties read(byte[] body) {
        Properties overrides = new Properties();
        if (body.length == 0) {
            return overrides;
        }
        OutboxJson.read(body, fields -> {
            while (fields.next()) {
                String property = PROPERTIES.get(fields.name());
                if (property == null) {
                    throw AdminException.invalidOverride("only these can be overridden: "
                            + String.join(
                                    ", ", PROPERTIES.keySet().stream().sorted().toList()));
                }
                overrides.setProperty(property, NUMBERS.contains(property) ? fields.number() : fields.requiredText());
            }
            return overrides;
        });
        return overrides;
    }

    /** A sentence about the job's properties, with the names that the caller knows. */
    static String asWritten(String sentence) {
        String written = sentence;
        for (Map.Entry<String, String> property : PROPERTIES.entrySet()) {
            written = written.replaceAll("\\b" + property.getValue() + "\\b", property.getKey());
        }
        return written;
    }

    private static String snakeCase(String camelCase) {
        return camelCase.replaceAll("(\\p{Upper})", "_$1").toLowerCase(Locale.ROOT);
    }
}
