package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.InvalidRecordException;
import io.turnframe.outbox.store.persistence.SkipLockedClause;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds and limits, on every database. */
@Timeout(60)
abstract class ControlsContract extends StageFixture {
    private ControlStage controls;

    ControlsContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void build() {
        controls = new ControlStage(em, dataSource, stageDatabase(), claim);
    }

    @Test
    void keepsWhatWasSaidLast() {
        assertThat(controls.all()).isEmpty();
        put(new DestinationControl("airline", true, 2, 1.5, "they asked for it", "ann", null));
        put(new DestinationControl("airline", false, null, null, null, "bob", null));
        put(new DestinationControl("hotel", false, 3, 0.001, null, "ann", null));
        put(new DestinationControl("*", true, null, null, "night", "ann", null));
        em.clear();
        assertThat(controls.all())
                .containsExactlyInAnyOrder(
                        new DestinationControl("*", true, null, null, "night", "ann", T0),
                        new DestinationControl("airline", false, null, null, null, "bob", T0),
                        new DestinationControl("hotel", false, 3, 0.001, null, "ann", T0));
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertRefused("airline", 0, null, null);
        assertRefused("airline", null, 0.0, null);
        assertRefused("airline", null, -1.0, null);
        assertRefused("airline", null, 0.00009, null);
        assertRefused("airline", null, 1e-10, null);
        assertRefused("airline", null, Double.NaN, null);
        assertRefused("airline", null, 100_001.0, null);
        assertRefused("*", 1, null, null);
        assertRefused("*", null, 1.0, null);
        assertRefused(" ", null, null, null);
        assertRefused("a".repeat(201), null, null, null);
        assertRefused("airline", null, null, "n".repeat(513));
    }

    @Test
    void claimsOfOneDestinationInOrderWhateverStandsInFront() {
        for (int i = 0; i < 50; i++) {
            store(entry("other" + i).destination("other").build());
        }
        UUID second = store(entry("2").createdAt(T0.plusSeconds(2)).build()).outboxId();
        UUID first = store(entry("1").createdAt(T0.plusSeconds(1)).build()).outboxId();
        List<ClaimedEntry> got = in(() -> claim.claim(request(10, Set.of()).of("airline", 10), T0));
        assertThat(got).extracting(c -> c.entry().outboxId()).containsExactly(first, second);
    }

    @Test
    void claimsNoMoreThanTheLimitAndWhatOthersHoldCounts() {
        stored(5);
        limited(3, null);
        assertThat(claimedLimited(2, T0)).isEqualTo(2);
        LimitedClaim full = claimLimited(10, T0);
        assertThat(full.entries()).hasSize(1);
        assertThat(full.againIn())
                .as("more is ready, and nothing tells when there is room")
                .isPositive();
        assertThat(claimedLimited(10, T0)).isZero();

        UUID done = full.entries().get(0).entry().outboxId();
        in(() -> settle.settle(TOKEN, List.of(Settlement.completed(done, null)), T0));
        assertThat(claimedLimited(10, T0)).isEqualTo(1);
    }

    @Test
    void saysThatNothingMoreIsReady() {
        stored(2);
        limited(3, null);
        assertThat(claimLimited(10, T0).againIn()).isNull();
        assertThat(claimLimited(10, T0)).isEqualTo(new LimitedClaim(List.of(), null));
    }

    @Test
    void spacesClaimsByTheRate() {
        stored(5);
        limited(null, 2.0);
        LimitedClaim first = claimLimited(10, T0);
        assertThat(first.entries()).hasSize(1);
        assertThat(first.againIn()).isEqualTo(Duration.ofMillis(500));
        assertThat(claimLimited(10, T0.plusMillis(499))).isEqualTo(new LimitedClaim(List.of(), Duration.ofMillis(1)));
        assertThat(claimedLimited(10, T0.plusMillis(500))).isEqualTo(1);
        assertThat(claimedLimited(10, T0.plusSeconds(60)))
                .as("no credit for a minute without sends")
                .isEqualTo(1);
    }

    @Test
    void countsTheNextPermitFromWhenRowsWereClaimed() {
        stored(5);
        limited(null, 2.0);
        em.clear();
        Iterator<Instant> clock = List.of(T0, T0.plusMillis(300)).iterator();
        in(() -> controls.claim(request(1, Set.of()).of("airline", 1), clock::next));
        assertThat(claimedLimited(10, T0.plusMillis(799))).isZero();
        assertThat(claimedLimited(10, T0.plusMillis(800))).isEqualTo(1);
    }

    /** What was claimed meanwhile by another counts as earlier, however long this waited before it had the lock. */
    @Test
    void looksAtTheClockUnderTheLock() {
        stored(1);
        limited(null, 2.0);
        em.clear();
        List<ControlRow> free = new ArrayList<>();
        in(() -> controls.claim(request(1, Set.of()).of("airline", 1), () -> {
            try (EntityManager other = factory.createEntityManager()) {
                ControlRow row = in(
                        other,
                        () -> other.find(
                                ControlRow.class,
                                "airline",
                                LockModeType.PESSIMISTIC_WRITE,
                                Map.of("jakarta.persistence.lock.timeout", SkipLockedClause.LOCK_TIMEOUT)));
                free.add(row);
            }
            return T0;
        }));
        assertThat(free).as("what another can lock").isNotEmpty().containsOnlyNulls();
    }

    @Test
    void letsATenthOfASecondsSendsLeaveTogether() {
        stored(50);
        limited(null, 100.0);
        assertThat(claimedLimited(50, T0)).isEqualTo(10);
        assertThat(claimedLimited(50, T0.plusMillis(50))).isEqualTo(5);
        int inASecond = 0;
        for (int ms = 1_000; ms < 1_200; ms += 10) {
            inASecond += claimedLimited(50, T0.plusMillis(ms));
        }
        assertThat(inASecond).isEqualTo(10 + 19);
    }

    @Test
    void countsOnlyWhatWasClaimedAgainstTheRate() {
        limited(null, 1.0);
        assertThat(claimLimited(1, T0)).isEqualTo(new LimitedClaim(List.of(), null));
        stored(1);
        assertThat(claimedLimited(1, T0)).isEqualTo(1);
    }

    /** As somebody may have written it into the table. */
    @Test
    void takesARateThatIsTooLowForTheLowest() {
        stored(2);
        limited(null, 1.0);
        in(() -> em.createNativeQuery("UPDATE tf_outbox_destination SET rate = 0.0000000001")
                .executeUpdate());
        em.clear();
        assertThat(controls.all()).extracting(DestinationControl::rate).containsExactly(DestinationControl.MIN_RATE);
        assertThat(claimedLimited(10, T0)).isEqualTo(1);
        assertThat(claimLimited(10, T0.plusSeconds(1)).againIn()).isEqualTo(Duration.ofSeconds(9_999));
        assertThat(claimedLimited(10, T0.plusSeconds(10_000))).isEqualTo(1);
    }

    /** Whoever is the later of two finds the other's row: nobody is refused. */
    @Test
    void letsTwoSpeakOfADestinationForTheFirstTimeAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int n = 0; n < 20; n++) {
                String destination = "d" + n;
                CyclicBarrier start = new CyclicBarrier(2);
                List<Callable<DestinationControl>> both = Stream.of("ann", "bob")
                        .<Callable<DestinationControl>>map(name -> () -> {
                            start.await();
                            return putAlone(new DestinationControl(destination, true, null, null, null, name, null));
                        })
                        .toList();
                for (Future<DestinationControl> put : threads.invokeAll(both)) {
                    assertThat(put.get().destination()).isEqualTo(destination);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(controls.all()).hasSize(20);
    }

    private DestinationControl putAlone(DestinationControl wanted) {
        try (EntityManager own = factory.createEntityManager()) {
            ControlStage stage = new ControlStage(own, dataSource, stageDatabase(), claim);
            return in(own, () -> stage.put(wanted, T0));
        }
    }

    @Test
    void claimsNothingOfAHeldDestination() {
        stored(1);
        put(new DestinationControl("airline", true, 5, null, null, "ann", null));
        assertThat(claimLimited(1, T0)).isEqualTo(new LimitedClaim(List.of(), null));
    }

    @Test
    void doesNotWaitForAnotherClaimOfTheDestination() {
        stored(2);
        limited(5, null);
        try (EntityManager other = factory.createEntityManager()) {
            other.getTransaction().begin();
            other.find(ControlRow.class, "airline", LockModeType.PESSIMISTIC_WRITE);
            LimitedClaim busy = claimLimited(10, T0);
            assertThat(busy.entries()).isEmpty();
            assertThat(busy.againIn()).isPositive();
            other.getTransaction().rollback();
        }
        assertThat(claimedLimited(10, T0)).isEqualTo(2);
    }

    @Test
    void tellsTheTimerOfTheOpenDestinationsAlone() {
        store(entry("held").destination("held").build());
        assertThat(read.queueState(DestinationScope.only(Set.of("airline", "hotel")))
                        .due())
                .isFalse();
        store(entry("later").nextAttemptAt(Instant.now().plusSeconds(600)).build());
        QueueState delayed = read.queueState(DestinationScope.only(Set.of("airline", "hotel")));
        assertThat(delayed.due()).isFalse();
        assertThat(delayed.nextDueIn()).isPositive();
        store(entry("now").destination("hotel").build());
        assertThat(read.queueState(DestinationScope.only(Set.of("airline", "hotel")))
                        .due())
                .isTrue();
        assertThat(read.queueState(DestinationScope.only(Set.of("airline"))).due())
                .isFalse();
    }

    private void stored(int rows) {
        for (int i = 0; i < rows; i++) {
            store(entry("k" + i).createdAt(T0.plusMillis(i)).build());
        }
    }

    private void limited(Integer concurrency, Double rate) {
        put(new DestinationControl("airline", false, concurrency, rate, null, "ann", null));
    }

    private void put(DestinationControl wanted) {
        in(() -> controls.put(wanted, T0));
    }

    private int claimedLimited(int limit, Instant now) {
        return claimLimited(limit, now).entries().size();
    }

    private LimitedClaim claimLimited(int limit, Instant now) {
        em.clear();
        return in(() -> controls.claim(request(limit, Set.of()).of("airline", limit), () -> now));
    }

    private static void assertRefused(String destination, Integer concurrency, Double rate, String note) {
        assertThatExceptionOfType(InvalidRecordException.class)
                .isThrownBy(() -> new DestinationControl(destination, false, concurrency, rate, note, "ann", null));
    }
}
