package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ConfigValues;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatchSettingsTest {
    private static final Map<String, String> AIRLINE =
            Map.of("outbox.destinations", "airline", "outbox.destination.airline.url", "http://airline.example/");

    @Test
    void isOffUnlessTheDeployerSaysOtherwise() {
        DispatchSettings settings = settings(Map.of());
        assertThat(settings.enabled()).isFalse();
        assertThat(settings.destinations()).isEmpty();
        assertThat(settings.config())
                .isEqualTo(DispatchConfig.defaults(settings.config().workerId()));
    }

    @Test
    void givesEachNodeANameOfItsOwn() {
        assertThat(settings(Map.of()).config().workerId())
                .isNotEqualTo(settings(Map.of()).config().workerId());
    }

    /** Key, value, and how the sentence goes on that begins with the key. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            outbox.dispatch.enabled            | yes    | is 'yes'; write true or false
            outbox.dispatch.tick               | soon   | is 'soon'; write a duration such as
            outbox.dispatch.tick               | 1ms    | is PT0.001S but must lie between
            outbox.dispatch.tick               | 2d     | is PT48H but must lie between
            outbox.dispatch.linger             | 2m     | is PT2M but must lie between
            outbox.dispatch.linger             | -1s    | is '-1s'; write a duration such as
            outbox.dispatch.batch-size         | 0      | is 0 but must lie between 1 and 10000
            outbox.dispatch.batch-size         | 1.5    | is '1.5'; write a whole number
            outbox.dispatch.claim-bytes        | 0      | is 0; write at least 1
            outbox.dispatch.claim-bytes        | 2147483648 | is '2147483648'; write a whole number from -2147483648 to 2147483647
            outbox.dispatch.claim-bytes        | 16M    | is '16M'; write a whole number
            outbox.dispatch.concurrency        | 257    | is 257 but must lie between 1 and 256
            outbox.dispatch.send-timeout       | 0s     | is PT0S but must be positive
            outbox.dispatch.claim-timeout      | 59s    | is PT59S but must be at least twice outbox.dispatch.send-timeout PT30S
            outbox.dispatch.max-attempts       | 0      | is 0 but must lie between 1 and
            outbox.dispatch.initial-backoff    | 366d   | is PT8784H but must be positive and at most 365 days
            outbox.dispatch.max-backoff        | 10ms   | is PT0.01S but must not be shorter than outbox.dispatch.initial-backoff PT1S
            outbox.dispatch.backoff-multiplier | 101    | is 101 but must lie between 1 and 100
            outbox.dispatch.jitter             | 1.1    | is 1.1 but must lie between 0 and 1
            outbox.dispatch.jitter             | much   | is 'much'; write a number such as 0.2
            outbox.dispatch.journal            | some   | is 'some'; write
            outbox.destination.airline.url             | airline          | is 'airline'; write an http or https URL
            outbox.destination.airline.url             | ftp://a.example/ | is 'ftp://a.example/'; write an http or https URL
            outbox.destination.airline.sender          | pigeon           | is 'pigeon'; write http, jms or the java: name of an EJB
            outbox.destination.airline.reference-pointer | reference      | is 'reference'; write a JSON pointer such as /reference
            outbox.destination.airline.deduplicates    | 1                | is '1'; write true or false
            outbox.destination.airline.concurrency     | 0                | is 0; write at least 1
            outbox.destination.airline.max-attempts    | many             | is 'many'; write a whole number
            outbox.destination.airline.max-attempts    | 0                | is 0 but must lie between 1 and
            outbox.destination.airline.send-timeout    | never            | is 'never'; write a duration such as
            outbox.destination.airline.send-timeout    | 61s              | is PT1M1S but must be at most half of
            outbox.destination.airline.initial-backoff | 2m               | is PT2M but must not exceed
            outbox.destination.airline.max-backoff     | 1ms              | is PT0.001S but must not be shorter than
            outbox.destination.airline.backoff-multiplier | 0             | is 0 but must lie between 1 and 100
            outbox.destination.airline.jitter          | 2                | is 2.0 but must lie between 0 and 1
            """)
    void namesKeyValueAndRemedy(String key, String value, String sentence) {
        Map<String, String> values = new HashMap<>(AIRLINE);
        values.put(key, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(values))
                .withMessageStartingWith(key + " " + sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            airline;remote  | lists 'airline;remote'; separate names by commas
            air line        | lists 'air line'; separate names by commas
            airline,*       | lists '*'; it stands for every destination
            airline,airline | lists 'airline' twice; leave one of them out
            airline,,remote | is 'airline,,remote', with a comma too many
            airline,        | is 'airline,', with a comma too many
            """)
    void refusesNamesThatNoEntryMeans(String list, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("outbox.destinations", list)))
                .withMessageStartingWith("outbox.destinations " + sentence);
    }

    @Test
    void refusesANameThatNoEntryCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("outbox.destinations", "a".repeat(201))))
                .withMessageEndingWith("the name has 201 characters but at most 200 are allowed");
        assertThat(settings(Map.of("outbox.destinations", " b , a.c ")).destinations())
                .containsOnlyKeys("b", "a.c");
    }

    @Test
    void wantsAUrlForAnHttpDestination() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("outbox.destinations", "a", "outbox.destination.a.sender", "http")))
                .withMessage("outbox.destination.a.url is not set; an http destination needs it");
    }

    @Test
    void laysWhatADestinationHasOfItsOwnOverARun() {
        Map<String, String> values = new HashMap<>(AIRLINE);
        values.put("outbox.destination.airline.send-timeout", "45s");
        values.put("outbox.destination.airline.max-attempts", "9");
        DispatchSettings settings = settings(values);
        DispatchConfig run = settings.config(parameters("maxAttempts=2", "batchSize=7"));
        DispatchConfig airline = settings.destinations().get("airline").over(run);
        assertThat(airline.sendTimeout()).isEqualTo(Duration.ofSeconds(45));
        assertThat(airline.maxAttempts()).isEqualTo(9);
        assertThat(airline.batchSize()).isEqualTo(7);
        assertThat(airline.initialBackoff()).isEqualTo(run.initialBackoff());
    }

    @Test
    void refusesARunWhoseClaimsAreTooShortForADestination() {
        Map<String, String> values = new HashMap<>(AIRLINE);
        values.put("outbox.destination.airline.send-timeout", "45s");
        DispatchSettings settings = settings(values);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.config(parameters("claimTimeout=60s")))
                .withMessageStartingWith(
                        "outbox.destination.airline.send-timeout is PT45S but must be at most half of");
    }

    @Test
    void refusesAParameterThatTheJobDoesNotKnow() {
        DispatchSettings settings = settings(AIRLINE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.config(parameters("batch_size=5")))
                .withMessage(
                        "batch_size is no parameter of this job; there are backoffMultiplier, batchSize, claimTimeout,"
                                + " concurrency, initialBackoff, jitter, linger, maxAttempts, maxBackoff, partitions, sendTimeout,"
                                + " workerId");
        assertThat(settings.config(parameters("jberet.restart.mode=strict", "linger=1s", "partitions=2")))
                .isEqualTo(settings.config());
    }

    private static Properties parameters(String... pairs) {
        Properties parameters = new Properties();
        Arrays.stream(pairs).map(pair -> pair.split("=")).forEach(pair -> parameters.setProperty(pair[0], pair[1]));
        return parameters;
    }

    private static DispatchSettings settings(Map<String, String> values) {
        DispatchSettings settings = new DispatchSettings();
        settings.read(new ConfigValues(key -> Optional.ofNullable(values.get(key)), UnaryOperator.identity()));
        return settings;
    }
}
