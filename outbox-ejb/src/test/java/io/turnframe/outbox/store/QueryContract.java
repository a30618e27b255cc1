package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The operators' questions, on every database. */
abstract class QueryContract extends StageFixture {
    private static final OutboxFilter ALL = OutboxFilter.ALL;

    QueryContract(TestDatabase database) {
        super(database);
    }

    @Test
    void walksNewestFirstThroughEveryEntryOnceAlsoWhereInstantsAreEqual() {
        List<UUID> stored = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            stored.add(store(entry("k" + i).createdAt(T0.plusSeconds(i / 4))).outboxId());
        }

        List<OutboxSummary> walked = new ArrayList<>();
        OutboxPosition after = null;
        do {
            OutboxPage page = query.page(ALL, after, 10);
            walked.addAll(page.entries());
            after = page.next();
        } while (after != null);

        assertThat(walked).extracting(OutboxSummary::outboxId).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(walked).extracting(OutboxSummary::createdAt).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void endsWithoutAPositionWhenThePageIsJustFull() {
        store(entry("a"));
        store(entry("b"));

        assertThat(query.page(ALL, null, 2).next()).isNull();
        assertThat(query.page(ALL, null, 1).next()).isNotNull();
    }

    @Test
    void filters() {
        UUID command = UUID.randomUUID();
        UUID hotel = store(entry("a").destination("hotel")).outboxId();
        UUID ofCommand = store(entry("b").commandId(command)).outboxId();
        UUID claimed = claimOne("airline-2", "c");

        assertThat(ids(new OutboxFilter(null, "hotel", null))).containsExactly(hotel);
        assertThat(ids(new OutboxFilter(null, null, command))).containsExactly(ofCommand);
        assertThat(ids(new OutboxFilter(OutboxStatus.DISPATCHING, null, null))).containsExactly(claimed);
        assertThat(ids(new OutboxFilter(OutboxStatus.PENDING, "airline", command)))
                .containsExactly(ofCommand);
        assertThat(ids(new OutboxFilter(OutboxStatus.FAILED, null, null))).isEmpty();
    }

    @Test
    void filtersByCodeByKeyAndByTime() {
        UUID failed = claimOne("airline", "booking-1");
        in(() -> settle.settle(TOKEN, List.of(Settlement.failed(failed, "airline.full")), T0));
        UUID later = store(entry("booking_2").createdAt(T0.plusSeconds(10)).nextAttemptAt(T0.plusSeconds(60)))
                .outboxId();
        UUID last = store(entry("Booking-3").createdAt(T0.plusSeconds(20))).outboxId();

        assertThat(ids(filter("airline.full", null, null, null, null))).containsExactly(failed);
        assertThat(ids(filter("airline.ful", null, null, null, null))).isEmpty();
        assertThat(ids(filter(null, null, null, "booking_2", null))).containsExactly(later);
        assertThat(ids(filter(null, null, null, "BOOKING_2", null))).isEmpty();
        assertThat(ids(filter(null, null, null, null, "booking"))).containsExactly(later, failed);
        assertThat(ids(filter(null, null, null, null, "booking_")))
                .as("no wildcard")
                .containsExactly(later);
        assertThat(ids(filter(null, null, null, null, "%"))).isEmpty();
        assertThat(ids(filter(null, range(10, 20), null, null, null))).containsExactly(later);
        assertThat(ids(filter(null, range(null, 10), null, null, null))).containsExactly(failed);
        assertThat(ids(filter(null, null, range(20, 60), null, null)))
                .as("due since it was created")
                .containsExactly(last);
        assertThat(ids(filter(null, null, range(60, null), null, null))).containsExactly(later);
        assertThat(ids(filter("airline.full", range(0, 1), range(0, 1), "booking-1", "b")
                        .withStatus(OutboxStatus.FAILED)))
                .containsExactly(failed);
    }

    @Test
    void walksThroughAllThatPassWindowByWindow() {
        QueryStage narrow = new QueryStage(em, stageDatabase(), 3);
        List<UUID> wanted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            UUID id = store(entry("k" + i)
                            .createdAt(T0.plusSeconds(i / 3))
                            .destination(i % 7 == 0 ? "rare" : "airline"))
                    .outboxId();
            if (i % 7 == 0) {
                wanted.add(id);
            }
        }
        for (int limit : List.of(1, 2, 10)) {
            List<UUID> walked = new ArrayList<>();
            OutboxPosition after = null;
            int pages = 0;
            do {
                OutboxPage page = narrow.page(new OutboxFilter(null, "rare", null), after, limit);
                page.entries().forEach(entry -> walked.add(entry.outboxId()));
                after = page.next();
                pages++;
            } while (after != null);
            assertThat(walked).as("pages of %d", limit).containsExactlyInAnyOrderElementsOf(wanted);
            assertThat(pages).isGreaterThanOrEqualTo(20 / 3);
        }
    }

    @Test
    void walksThroughTheFailedWhateverElseThereIs() {
        QueryStage narrow = new QueryStage(em, stageDatabase(), 2);
        Set<UUID> wanted = new HashSet<>();
        for (int i = 0; i < 9; i++) {
            UUID id = claimOne("airline", "f" + i);
            String code = i % 2 == 0 ? "even" : "odd";
            in(() -> settle.settle(TOKEN, List.of(Settlement.failed(id, code)), T0));
            if (i % 2 == 0) {
                wanted.add(id);
            }
        }
        for (int i = 0; i < 9; i++) {
            store(entry("p" + i));
        }
        Set<UUID> walked = new HashSet<>();
        OutboxPosition after = null;
        do {
            OutboxPage page =
                    narrow.page(filter("even", null, null, null, null).withStatus(OutboxStatus.FAILED), after, 10);
            page.entries()
                    .forEach(entry -> assertThat(walked.add(entry.outboxId())).isTrue());
            after = page.next();
        } while (after != null);
        assertThat(walked).isEqualTo(wanted);
    }

    private static OutboxFilter filter(
            String code, OutboxFilter.Range created, OutboxFilter.Range due, String key, String prefix) {
        return new OutboxFilter(null, null, null, code, created, due, key, prefix);
    }

    /** In seconds from {@link #T0}; null: open. */
    private static OutboxFilter.Range range(Integer from, Integer before) {
        return new OutboxFilter.Range(
                from == null ? null : T0.plusSeconds(from), before == null ? null : T0.plusSeconds(before));
    }

    @Test
    void showsWhatTheStoreKeepsButThePayload() {
        UUID id = claimOne("airline", "a");

        OutboxRecord stored = read.get(id);
        assertThat(stored.claim()).isNotNull();
        assertThat(query.get(id)).isEqualTo(OutboxSummary.of(stored));
    }

    @Test
    void listsACommandOldestFirst() {
        UUID command = UUID.randomUUID();
        UUID second = store(entry("a").commandId(command).createdAt(T0.plusSeconds(1)))
                .outboxId();
        UUID first = store(entry("b").commandId(command)).outboxId();
        store(entry("c"));

        assertThat(query.listForCommand(command))
                .extracting(OutboxSummary::outboxId)
                .containsExactly(first, second);
        assertThat(query.listForCommand(UUID.randomUUID())).isEmpty();
    }

    @Test
    void refusesAnUnknownIdAndALimitOutsideItsRange() {
        assertThatExceptionOfType(OutboxNotFoundException.class).isThrownBy(() -> query.get(UUID.randomUUID()));
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> query.page(ALL, null, 0));
        assertThatExceptionOfType(InvalidRecordException.class).isThrownBy(() -> query.page(ALL, null, 501));
    }

    @Test
    void countsByDestinationAndStatus() {
        claimOne("airline", "a");
        store(entry("b"));
        store(entry("c"));
        store(entry("d").destination("Hotel"));

        assertThat(stats.stats(T0).counts())
                .containsExactly(
                        new OutboxStats.Count("Hotel", OutboxStatus.PENDING, 1),
                        new OutboxStats.Count("airline", OutboxStatus.PENDING, 2),
                        new OutboxStats.Count("airline", OutboxStatus.DISPATCHING, 1));
    }

    @Test
    void measuresTheOldestDueEntryFromWhenItCameDue() {
        assertThat(stats.stats(T0)).isEqualTo(new OutboxStats(T0, 0, null, List.of(), List.of()));

        store(entry("later").nextAttemptAt(T0.plusSeconds(100)));
        assertThat(stats.stats(T0.plusSeconds(99)).dueNow()).isZero();
        assertThat(stats.stats(T0.plusSeconds(99)).oldestDueAgeSeconds()).isNull();
        assertThat(stats.stats(T0.plusSeconds(130)).dueNow()).isOne();
        assertThat(stats.stats(T0.plusSeconds(130)).oldestDueAgeSeconds()).isEqualTo(30);

        store(entry("ready").createdAt(T0.plusSeconds(50)));
        assertThat(stats.stats(T0.plusSeconds(130)).dueNow()).isEqualTo(2);
        assertThat(stats.stats(T0.plusSeconds(130)).oldestDueAgeSeconds()).isEqualTo(80);
        store(entry("hotel").destination("hotel").createdAt(T0.plusSeconds(90)));
        assertThat(stats.stats(T0.plusSeconds(130)).due())
                .containsExactly(new OutboxStats.Due("airline", 2, 80), new OutboxStats.Due("hotel", 1, 40));
        assertThat(stats.stats(T0).oldestDueAgeSeconds())
                .as("a clock that ran ahead")
                .isZero();
    }

    private List<UUID> ids(OutboxFilter filter) {
        return query.page(filter, null, 10).entries().stream()
                .map(OutboxSummary::outboxId)
                .toList();
    }

    private OutboxEntry store(OutboxEntry.Builder builder) {
        return store(builder.build());
    }

    /** Stores one entry and claims it alone. */
    private UUID claimOne(String destination, String key) {
        Set<String> others = Set.of("airline", "hotel", "Hotel");
        UUID id = store(entry(key).destination(destination)).outboxId();
        em.getTransaction().begin();
        claim.claim(request(1, destination.equals("airline") ? Set.of() : others), T0);
        em.getTransaction().commit();
        return id;
    }
}
