package io.turnframe.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxConflictException;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxNotFoundException;
import io.turnframe.outbox.OutboxRecord;
import io.turnframe.outbox.OutboxStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the stages must do on every database. The contract is proven on the servers. */
abstract class StagesContract extends StageFixture {
    StagesContract(TestDatabase database) {
        super(database);
    }

    @Test
    void claimsTheOldestDueRowsInOrder() {
        OutboxEntry second = store(entry("2").createdAt(T0.plusSeconds(2)).build());
        OutboxEntry first = store(entry("1").createdAt(T0.plusSeconds(1)).build());
        OutboxEntry later = store(entry("3").nextAttemptAt(T0.plusSeconds(60)).build());

        assertThat(claimed(T0, 10)).containsExactly(first.outboxId(), second.outboxId());
        assertThat(claimed(T0.plusSeconds(59), 10)).isEmpty();
        assertThat(claimed(T0.plusSeconds(60), 10)).containsExactly(later.outboxId());

        OutboxRecord record = read.get(first.outboxId());
        assertThat(record.entry().status()).isEqualTo(OutboxStatus.DISPATCHING);
        assertThat(record.entry().attemptCount()).isEqualTo(1);
        assertThat(record.claim().workerId()).isEqualTo("w");
        assertThat(record.claim().claimedAt()).isEqualTo(T0);
    }

    /** Of every version and variant, whether a standard knows them or not. */
    @Test
    void keepsEveryIdAndOrdersThemByteByByte() {
        List<UUID> ids = new ArrayList<>();
        for (long version = 0; version < 16; version++) {
            for (long variant = 0; variant < 16; variant++) {
                ids.add(new UUID(
                        (16 - version) << 60 | 0x2B19_67C9_0709L << 16 | version << 12 | 0x9BA,
                        variant << 60 | 0x002D_E268_5A07_2C6DL));
            }
        }
        enqueue.enqueue(ids.stream()
                .map(id -> entry(id.toString()).outboxId(id).commandId(id).build())
                .toList());
        for (UUID id : ids) {
            assertThat(read.listForCommand(id))
                    .extracting(record -> record.entry().outboxId())
                    .containsExactly(id);
        }
        List<UUID> claimed = new ArrayList<>();
        for (int n = 0; n < ids.size(); n += 10) {
            claimed.addAll(claimed(T0, 10));
        }
        ids.sort(Ids.ORDER);
        assertThat(claimed).isEqualTo(ids);
    }

    @Test
    void leavesOutExcludedDestinationsAndKeepsToTheLimit() {
        store(entry("1").destination("held").build());
        store(entry("2").createdAt(T0.plusSeconds(1)).build());
        store(entry("3").createdAt(T0.plusSeconds(2)).build());

        List<ClaimedEntry> got = in(() -> claim.claim(request(1, Set.of("held")), T0));
        assertThat(got)
                .hasSize(1)
                .first()
                .matches(c -> c.entry().idempotencyKey().equals("2"));
    }

    @Test
    void settlesUnderTheTokenAndRefusesAnyOther() {
        UUID a = store(entry("a").build()).outboxId();
        UUID b = store(entry("b").build()).outboxId();
        UUID c = store(entry("c").build()).outboxId();
        UUID d = store(entry("d").build()).outboxId();
        claimed(T0, 10);
        List<Settlement> settlements = List.of(
                Settlement.completed(a, null),
                Settlement.completed(b, "PNR"),
                Settlement.retry(c, "busy", Duration.ofSeconds(5)),
                Settlement.unknown(d, "maybe"));

        assertThat(in(() -> settle.settle(new UUID(8, 8), settlements, T0))).containsExactlyInAnyOrder(a, b, c, d);
        assertThat(in(() -> settle.settle(TOKEN, settlements, T0))).isEmpty();
        assertThat(in(() -> settle.settle(TOKEN, settlements, T0)))
                .as("a repeat")
                .isEmpty();
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.failed(a, "x")), T0)))
                .containsExactly(a);

        assertThat(read.get(a).entry().completedAt()).isEqualTo(T0);
        assertThat(read.get(b).remoteRef()).isEqualTo("PNR");
        assertThat(read.get(c).entry().nextAttemptAt()).isEqualTo(T0.plusSeconds(5));
        assertThat(read.get(c).lastFailure()).isEqualTo("busy");
        assertThat(read.get(d).entry().status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
        assertThat(read.get(d).claim()).isNull();
    }

    @Test
    void forgivesAClaimThatWasGivenBack() {
        UUID a = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        assertThat(in(() -> settle.giveBack(TOKEN, Set.of(a)))).isEmpty();
        ClaimedEntry again = in(() -> claim.claim(request(1, Set.of()), T0)).get(0);
        assertThat(again.entry().attemptCount()).isEqualTo(2);
        assertThat(again.budgetUsed()).isEqualTo(1);
    }

    @Test
    void forgivesAnAttemptThatTheDestinationIsToBlameFor() {
        UUID a = store(entry("a").build()).outboxId();
        claimed(T0, 10);
        List<Settlement> down = List.of(Settlement.unavailable(a, "down", Duration.ZERO));
        assertThat(in(() -> settle.settle(TOKEN, down, T0))).isEmpty();
        assertThat(in(() -> settle.settle(TOKEN, down, T0))).as("a repeat").isEmpty();
        assertThat(read.get(a).lastFailure()).isEqualTo("down");
        in(() -> claim.promote(T0, 10));
        ClaimedEntry again = in(() -> claim.claim(request(1, Set.of()), T0)).get(0);
        assertThat(again.entry().attemptCount()).isEqualTo(2);
        assertThat(again.budgetUsed()).isEqualTo(1);
    }

    @Test
    void releasesUnsentClaimsAndSetsAsideThoseWhoseSendHadStarted() {
        UUID unsent = store(entry("a").build()).outboxId();
        UUID sent = store(entry("b").build()).outboxId();
        UUID again = store(entry("c").destination("dedup").build()).outboxId();
        claimed(T0, 10);
        in(() -> settle.mark(TOKEN, Set.of(sent), T0));

        assertThat(in(() -> release.release(T0, Set.of("dedup"), T0)).isEmpty()).isTrue();
        Released released = in(() -> release.release(T0.plusNanos(1000), Set.of("dedup"), T0));
        assertThat(released.pending()).containsExactlyInAnyOrder(unsent, again);
        assertThat(released.unknown()).containsExactly(sent);
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.completed(unsent, null)), T0)))
                .as("a late settlement")
                .containsExactly(unsent);
    }

    @Test
    void setsARowAsideWhoseDestinationDeduplicatedOnlyWhenItWasClaimed() {
        UUID id = store(entry("a").destination("dedup").build()).outboxId();
        claimed(T0, 10);
        assertThat(in(() -> release.release(T0.plusSeconds(1), Set.of(), T0)).unknown())
                .containsExactly(id);
    }

    @Test
    void releasesNoMoreThanToldTheOldestFirstAndOneByItself() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(store(entry("k" + i).build()).outboxId());
            claimed(T0.plusSeconds(i), 1);
        }
        Instant before = T0.plusSeconds(3);
        assertThat(release.abandoned(before, 2)).containsExactly(ids.get(0), ids.get(1));
        assertThat(in(() -> release.release(before, Set.of(), T0, ids.get(2))).pending())
                .containsExactly(ids.get(2));
        assertThat(in(() -> release.release(before, Set.of(), T0, ids.get(3))).isEmpty())
                .as("not yet abandoned")
                .isTrue();
        assertThat(in(() -> release.release(before, Set.of(), T0, 1)).pending()).containsExactly(ids.get(0));
        assertThat(in(() -> release.release(before, Set.of(), T0, 10)).pending())
                .containsExactly(ids.get(1));
    }

    @Test
    void claimsARowAloneThatWasAbandonedBefore() {
        UUID suspect = store(entry("a").destination("dedup").build()).outboxId();
        claimed(T0, 10);
        in(() -> release.release(T0.plusSeconds(1), Set.of("dedup"), T0));
        UUID older = store(entry("b").createdAt(T0.minusSeconds(1)).build()).outboxId();
        UUID younger = store(entry("c").createdAt(T0.plusSeconds(1)).build()).outboxId();

        assertThat(claimed(T0, 10)).containsExactly(older);
        assertThat(claimed(T0, 10)).containsExactly(suspect);
        assertThat(claimed(T0, 10)).containsExactly(younger);
    }

    @Test
    void boundsAClaimInBytesAndKeepsLargePayloadsWhole() {
        String large = "\"" + "é".repeat(400_000) + "\"";
        UUID first = store(entry("a").payload(large).build()).outboxId();
        UUID second = store(entry("b").createdAt(T0.plusSeconds(1)).build()).outboxId();
        UUID third = store(entry("c")
                        .createdAt(T0.plusSeconds(2))
                        .payload("\"" + "é".repeat(800_000) + "\"")
                        .build())
                .outboxId();

        List<ClaimedEntry> got = in(() -> claim.claim(request(10, Set.of()), T0));
        assertThat(got).extracting(c -> c.entry().outboxId()).containsExactly(first, second);
        assertThat(got.get(0).entry().payload()).isEqualTo(large);
        assertThat(got.get(1).entry().payload()).isEqualTo("{}");
        assertThat(claimed(T0, 10)).containsExactly(third);
    }

    @Test
    void setsARowAsideThatWasAbandonedThreeTimes() {
        UUID id = store(entry("a").destination("dedup").build()).outboxId();
        for (int i = 1; i <= 3; i++) {
            assertThat(claimed(T0, 10)).containsExactly(id);
            Released released = in(() -> release.release(T0.plusSeconds(1), Set.of("dedup"), T0));
            assertThat(released.pending()).hasSize(i < 3 ? 1 : 0);
        }
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.OUTCOME_UNKNOWN);
    }

    @Test
    void refusesADuplicateAndStoresNothingOfItsCall() {
        OutboxEntry first = store(entry("a").build());
        OutboxEntry other = entry("b").build();
        assertThatExceptionOfType(OutboxConflictException.class)
                .isThrownBy(() -> enqueue.enqueue(List.of(other, entry("a").build())));
        assertThatExceptionOfType(OutboxNotFoundException.class).isThrownBy(() -> read.get(other.outboxId()));
        assertThat(read.listForCommand(first.commandId())).hasSize(1);
    }

    @Test
    void judgesById() {
        UUID id = store(entry("a").build()).outboxId();
        assertThatExceptionOfType(OutboxConflictException.class).isThrownBy(() -> in(() -> complete(id)));
        claimed(T0, 1);
        in(() -> {
            verdict.unknown(id, null, T0);
            verdict.unknown(id, "ref", T0);
            verdict.unknown(id, "other", T0);
            return null;
        });
        assertThat(read.get(id).remoteRef()).isEqualTo("ref");
        in(() -> complete(id));
        in(() -> complete(id));
        assertThatExceptionOfType(OutboxConflictException.class)
                .isThrownBy(() -> in(() -> {
                    verdict.reschedule(id, T0);
                    return null;
                }));
        assertThatExceptionOfType(OutboxNotFoundException.class).isThrownBy(() -> in(() -> complete(new UUID(1, 1))));
    }

    @Test
    void completesAnUnknownRowByALateAnswer() {
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 1);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), T0));
        assertThat(in(() -> settle.completeLate(TOKEN, late(id, 2), T0)))
                .as("another attempt's")
                .isFalse();
        assertThat(in(() -> settle.completeLate(TOKEN, late(id, 1), T0))).isTrue();
        assertThat(in(() -> settle.completeLate(TOKEN, late(id, 1), T0)))
                .as("a repeat")
                .isFalse();
        OutboxRecord record = read.get(id);
        assertThat(record.entry().status()).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(record.remoteRef()).isEqualTo("PNR");
    }

    @Test
    void letsALateAnswerOvertakeTheSettlementAsUnknown() {
        UUID id = store(entry("a").build()).outboxId();
        claimed(T0, 1);
        assertThat(in(() -> settle.completeLate(new UUID(8, 8), late(id, 1), T0)))
                .as("another claim's")
                .isFalse();
        assertThat(in(() -> settle.completeLate(TOKEN, late(id, 1), T0))).isTrue();
        assertThat(in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(id, null)), T0)))
                .containsExactly(id);
        assertThat(read.get(id).entry().status()).isEqualTo(OutboxStatus.COMPLETED);
        assertThat(read.get(id).claim()).isNull();
    }

    @Test
    void stopsAQueuedResendByALateAnswerButNotOneThatIsOut() {
        UUID queued = store(entry("a").build()).outboxId();
        claimed(T0, 1);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(queued, null)), T0));
        in(() -> {
            verdict.reschedule(queued, T0);
            return null;
        });
        assertThat(in(() -> settle.completeLate(TOKEN, late(queued, 1), T0))).isTrue();

        UUID out = store(entry("b").build()).outboxId();
        claimed(T0, 1);
        in(() -> settle.settle(TOKEN, List.of(Settlement.unknown(out, null)), T0));
        in(() -> {
            verdict.reschedule(out, T0);
            return null;
        });
        claimed(T0, 1);
        assertThat(in(() -> settle.completeLate(TOKEN, late(out, 1), T0))).isFalse();
        assertThat(read.get(out).entry().status()).isEqualTo(OutboxStatus.DISPATCHING);
    }

    @Test
    void journalsAnAttemptOnce() {
        UUID id = store(entry("a").build()).outboxId();
        in(() -> {
            journal.write(List.of(late(id, 1)), T0);
            journal.write(List.of(late(id, 1), late(new UUID(3, 3), 1)), T0);
            return null;
        });
        List<?> attempts = em.createNativeQuery("SELECT worker_id, outcome, remote_ref FROM tf_outbox_attempt")
                .getResultList();
        assertThat(attempts).hasSize(1);
        assertThat((Object[]) attempts.get(0)).containsExactly("w", "completed", "PNR");
    }

    @Test
    void tellsTheTimerWhatThereIsToDo() {
        assertThat(read.queueState(DestinationScope.ALL)).isEqualTo(new QueueState(false, null, null));
        store(entry("a").nextAttemptAt(Instant.now().plusSeconds(600)).build());
        QueueState delayed = read.queueState(DestinationScope.ALL);
        assertThat(delayed.due()).isFalse();
        assertThat(delayed.nextDueIn()).isBetween(Duration.ofSeconds(590), Duration.ofSeconds(600));
        store(entry("b").build());
        assertThat(read.queueState(DestinationScope.ALL).due()).isTrue();
        assertThat(read.queueState(DestinationScope.except(Set.of("airline", "hotel"))))
                .isEqualTo(new QueueState(false, null, null));
        claimed(Instant.now(), 1);
        assertThat(read.queueState(DestinationScope.ALL).oldestClaimAge()).isNotNull();
    }

    /** As after the database's clock has gone back. */
    @Test
    void tellsTheTimerOfNoPromotedRowThatAClaimWouldNotTake() {
        Instant later = Instant.now().plusSeconds(600);
        UUID id = store(entry("a").nextAttemptAt(later).build()).outboxId();
        assertThat(in(() -> claim.promote(later, 10))).isEqualTo(1);
        assertThat(read.queueState(DestinationScope.ALL).due()).isFalse();
        assertThat(read.queueState(DestinationScope.only(Set.of("airline"))).due())
                .isFalse();
        assertThat(in(() -> claim.claim(request(10, Set.of()), Instant.now()))).isEmpty();

        in(() -> em.createQuery("update OutboxRow o set o.nextAttemptAt = :then where o.outboxId = :id")
                .setParameter("then", T0)
                .setParameter("id", id)
                .executeUpdate());
        assertThat(read.queueState(DestinationScope.ALL).due()).isTrue();
    }

    private Object complete(UUID id) {
        verdict.complete(id, T0);
        return null;
    }

    private static Attempt late(UUID id, int number) {
        return new Attempt(
                id, number, "w", Duration.ofSeconds(2), Duration.ZERO, Dispatched.Kind.COMPLETED, null, "PNR", true);
    }
}
