package io.turnframe.outbox.batch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.turnframe.outbox.OutboxEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request goes, and what a bad configuration is told: key, value and remedy, but no secret. */
class RouteTest {
    private static final String SECRET = "s3cr3t";

    @Test
    void putsTheIdsOfTheEntryIntoPathAndQuery() {
        OutboxEntry entry = entry("a/b?c=d&e#f é%");
        UrlTemplate url =
                url("https://a.example:8443/x/{outbox_id}/{idempotency_key}?c={command_id}&k={idempotency_key}");
        assertThat(url.expand(entry, null))
                .isEqualTo("/x/" + entry.outboxId() + "/a%2Fb%3Fc%3Dd%26e%23f%20%C3%A9%25?c=" + entry.commandId()
                        + "&k=a%2Fb%3Fc%3Dd%26e%23f%20%C3%A9%25");
        assertThat(url.host().toURI()).isEqualTo("https://a.example:8443");
        assertThat(url.hasPlaces()).isTrue();
        assertThat(url("https://a.example").expand(entry, null)).isEqualTo("/");
        assertThat(url("https://a.example?x=1").expand(entry, null)).isEqualTo("/?x=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "../admin", "a/../b", "a\\..\\b", "./a"})
    void sendsNothingForAnIdThatWouldLeadElsewhere(String key) {
        assertThat(url("https://a.example/x/{idempotency_key}").expand(entry(key), null))
                .isNull();
        assertThat(url("https://a.example/x?k={idempotency_key}").expand(entry(key), null))
                .startsWith("/x?k=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://{command_id}.example/         | the host does not come from an entry",
                "https://a.example:{command_id}/       | the host does not come from an entry",
                "https://a.example/{payload}           | there is no {payload}; write {outbox_id}",
                "https://a.example/{remote_ref}        | there is no {remote_ref}",
                "https://a.example/#x                  | write an http or https URL",
                "https://u:s3cr3t@a.example/           | no user in a URL",
                "https://a.example/ x?token=s3cr3t     | write an http or https URL",
                "http://localhost:99999/ok             | the port 99999 does not exist; write one from 1 to 65535",
                "http://localhost:0/ok                 | the port 0 does not exist",
                "http://localhost:99999999999/ok       | 'localhost:99999999999' is no host with or without a port",
                "http://under_score/ok                 | 'under_score' is no host",
                "http://u:s3cr3t@under_score/ok        | no user in a URL",
                "http:///ok                            | write an http or https URL",
                "mailto:a@a.example                    | write an http or https URL"
            })
    void refusesAUrlThatItCannotUse(String url, String remedy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> url(url))
                .withMessageStartingWith("outbox.destination.airline.url is '")
                .withMessageContaining(remedy)
                .withMessageNotContaining(SECRET);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "method=GET                          | method is 'GET'; write one of POST, PUT, PATCH, DELETE",
                "http-version=3                      | http-version is '3'; write negotiated, 1.1 or 2",
                "max-answer-bytes=-1                 | max-answer-bytes is -1; write 0 or more",
                "connect-timeout=0s                  | connect-timeout is PT0S but must lie between 1 ms and 1 day",
                "reference-pointer=ref               | reference-pointer is 'ref'; write a JSON pointer",
                "reference-pointer=/a~2              | reference-pointer is '/a~2'; in a JSON pointer write ~0 for '~'",
                "reference-pointer=/a~               | reference-pointer is '/a~'; in a JSON pointer write ~0 for '~'",
                "retry-unknown=true                  | retry-unknown is true, but"
                        + " outbox.destination.airline.deduplicates is not",
                "user=ann                            | password is not set; user and password go together",
                "password=s3cr3t                     | user is not set; user and password go together",
                "user=a:b password=s3cr3t            | user has a colon",
                "user=ann password=s3cr3t token=x    | token is set beside outbox.destination.airline.user",
                "token=s3cr3t\u00E9                  | token has characters that no header carries",
                "headers=X-A                         | header.X-A is not set",
                "headers=X-A header.X-A=s3cr3t\u00E9 | header.X-A has characters that no header carries",
                "headers=Host header.Host=x          | headers lists Host, which the sender sets itself",
                "headers=idempotency-key             | headers lists idempotency-key, which the sender sets itself",
                "headers=X\u00E9                     | headers lists 'X\u00E9'; write names",
                "headers=Authorization header.Authorization=s3cr3t token=s3cr3t | headers lists Authorization beside",
                "key-store=/none.p12                 | key-store-password is not set",
                "key-store=/none.p12 key-store-password=s3cr3t | key-store is '/none.p12', which cannot be read"
            })
    void refusesWhatItCannotMean(String settings, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Routes.route("https://a.example/", settings(settings)))
                .withMessageContaining("outbox.destination.airline." + message)
                .withMessageNotContaining(SECRET);
    }

    @Test
    void printsNoSecret() {
        HttpRoute route = Routes.route(
                "https://a.example/x/{command_id}?token=" + SECRET,
                settings("headers=X-A header.X-A=" + SECRET + " user=ann password=" + SECRET));
        assertThat(route.shown()).isEqualTo("https://a.example/x/{command_id}");
        assertThat(route.toString()).doesNotContain(SECRET);
        assertThat(route.http().toString())
                .doesNotContain(SECRET)
                .doesNotContain("ann")
                .contains("X-A");
        assertThat(route.http().headers()).containsEntry("Authorization", "Basic YW5uOnMzY3IzdA==");
    }

    private static Map<String, String> settings(String text) {
        Map<String, String> settings = new HashMap<>();
        for (String one : text.split(" ")) {
            settings.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return settings;
    }

    private static UrlTemplate url(String text) {
        return UrlTemplate.parse("outbox.destination.airline.url", text, false);
    }

    private static OutboxEntry entry(String key) {
        return OutboxEntry.pending(new UUID(1, 1), "airline", key, "{}");
    }
}
