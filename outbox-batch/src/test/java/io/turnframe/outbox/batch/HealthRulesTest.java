package io.turnframe.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.OutboxStatus;
import io.turnframe.outbox.store.OutboxStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HealthRulesTest {
    private static final OutboxStats BACKLOG = new OutboxStats(
            Instant.EPOCH,
            5,
            600L,
            List.of(
                    new OutboxStats.Count("airline", OutboxStatus.PENDING, 3),
                    new OutboxStats.Count("hotel", OutboxStatus.PENDING, 2),
                    new OutboxStats.Count("typo", OutboxStatus.FAILED, 2)),
            List.of(new OutboxStats.Due("airline", 3, 600), new OutboxStats.Due("hotel", 2, 60)));

    private boolean dispatching = true;
    private boolean everythingHeld;
    private Set<String> held = Set.of();
    private Set<String> routable = Set.of("airline", "hotel");
    private Duration longest = Duration.ofHours(1);

    @Test
    void isUpWithABacklogThatIsBeingWorkedOn() {
        assertThat(health(BACKLOG, 0)).isEqualTo(new Health("up", List.of()));
    }

    @Test
    void tellsWhichBacklogIsTooOld() {
        longest = Duration.ofSeconds(599);
        assertThat(health(BACKLOG, 0).status()).isEqualTo("degraded");
        assertThat(health(BACKLOG, 0).problems())
                .containsExactly(new Health.Problem(
                        "turnframe.health.backlog_age",
                        "airline",
                        "an entry has been due for 600 s, longer than PT9M59S"));
        longest = Duration.ofSeconds(600);
        assertThat(health(BACKLOG, 0).status()).isEqualTo("up");
    }

    @Test
    void tellsWhenNothingIsSentThoughSomethingIsDue() {
        dispatching = false;
        everythingHeld = true;
        held = Set.of("hotel", "idle");
        assertThat(health(BACKLOG, 0).problems())
                .extracting(problem -> problem.code() + " " + problem.destination())
                .containsExactly(
                        "turnframe.health.dispatch_off null",
                        "turnframe.health.held null",
                        "turnframe.health.held hotel");
        OutboxStats idle = new OutboxStats(Instant.EPOCH, 0, null, List.of(), List.of());
        assertThat(health(idle, 0).status()).isEqualTo("up");
    }

    @Test
    void tellsWhatFindsNoSenderAndWhatIsUnknownForTooLong() {
        routable = Set.of("airline");
        assertThat(health(BACKLOG, 7).problems())
                .extracting(problem -> problem.code() + " " + problem.destination())
                .containsExactly("turnframe.health.unroutable hotel", "turnframe.health.unknown_overdue null");
    }

    @Test
    void countsInWords() {
        assertThat(List.of(words(1), words(2)))
                .containsExactly(
                        List.of(
                                "1 entry is due and this node does not dispatch",
                                "1 entry is due and everything is held",
                                "1 entry is due and it is held",
                                "1 entry waits for a sender that this node does not find",
                                "1 outcome has been unknown for longer than outbox.reconcile.overdue-after"),
                        List.of(
                                "2 entries are due and this node does not dispatch",
                                "2 entries are due and everything is held",
                                "2 entries are due and it is held",
                                "2 entries wait for a sender that this node does not find",
                                "2 outcomes have been unknown for longer than outbox.reconcile.overdue-after"));
    }

    /** Of all that can be the matter with so many. */
    private List<String> words(long number) {
        dispatching = false;
        everythingHeld = true;
        held = Set.of("airline");
        routable = Set.of();
        OutboxStats stats = new OutboxStats(
                Instant.EPOCH,
                number,
                60L,
                List.of(new OutboxStats.Count("airline", OutboxStatus.PENDING, number)),
                List.of(new OutboxStats.Due("airline", number, 60)));
        return health(stats, number).problems().stream()
                .map(Health.Problem::detail)
                .toList();
    }

    private Health health(OutboxStats stats, long overdue) {
        HealthRules rules = new HealthRules(
                dispatching, everythingHeld, held::contains, routable::contains, destination -> longest);
        return Health.of(rules.problems(stats, overdue));
    }
}
