package io.turnframe.outbox.batch;

import io.turnframe.outbox.DispatchConfig;
import io.turnframe.outbox.store.ClaimRequest;
import io.turnframe.outbox.store.ClaimedEntry;
import io.turnframe.outbox.store.DestinationScope;
import io.turnframe.outbox.store.LimitedClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The claims of a run: from which destinations, in which order, and when it pays to try again. */
final class Claims {
    private static final int PROMOTION = 1_000;

    /** Retries that have come due join the ready rows this often, also while those alone fill every claim. */
    private static final long PROMOTION_PACE = Duration.ofSeconds(1).toNanos();

    private final RunParts parts;
    private final DispatchConfig config;
    private final Openings openings;

    private long promotedAt;
    private boolean drained;
    private Set<String> cappedAtClaim = Set.of();
    private Controls.Said saidAtClaim = Controls.Said.NOTHING;
    private Set<String> failingAtClaim = Set.of();
    private boolean waiting;
    private long againAt;
    private int turn;

    Claims(RunParts parts, DispatchConfig config, Openings openings) {
        this.parts = parts;
        this.config = config;
        this.openings = openings;
        this.promotedAt = parts.now();
    }

    /** The queue may have filled, or a limit have room again, since the last claim found nothing. */
    void lookAgain() {
        drained = false;
    }

    /** Whether a claim is sure to find nothing. */
    boolean isHopeless() {
        return drained
                && cappedAtClaim.stream().allMatch(openings::isCapped)
                && saidAtClaim.equals(parts.controls().known())
                && failingAtClaim.equals(parts.breakers().open())
                && !(waiting && parts.now() - againAt >= 0);
    }

    /** Whether rows wait for nothing but a limit that holds over all nodes: nothing tells when it has room. */
    boolean isWaiting() {
        return waiting;
    }

    /** While it {@linkplain #isWaiting waits}: when to claim again, by the ticker. */
    long againAt() {
        return againAt;
    }

    /**
     * Claims up to {@code wanted} rows, or a few more.
     *
     * @param got takes them, also those that were claimed before something threw
     */
    void next(int wanted, List<Send> got) {
        waiting = false;
        drained = true;
        Controls.Said said = parts.controls().fresh();
        saidAtClaim = said;
        failingAtClaim = parts.breakers().open();
        cappedAtClaim = openings.capped();
        if (said.everythingHeld()) {
            return;
        }
        if (parts.now() - promotedAt >= PROMOTION_PACE) {
            promote();
        }
        claim(wanted, said, got);
        if (got.size() < wanted && promote() > 0) {
            claim(wanted, said, got);
        }
        // Fewer than wanted is not all: a claim is bounded in bytes, too, and takes a suspect alone.
        drained = got.isEmpty();
    }

    private int promote() {
        promotedAt = parts.now();
        return parts.store().promoteDue(PROMOTION);
    }

    private void claim(int wanted, Controls.Said said, List<Send> got) {
        Optional<DestinationScope> scope = openings.others(said);
        Set<String> limited = openings.limited(said);
        Set<String> probing = openings.probing(said);
        List<Source> sources = new ArrayList<>();
        limited.stream()
                .sorted()
                .forEach(name ->
                        sources.add((left, bytes) -> claimLimited(name, probing.contains(name) ? 1 : left, bytes)));
        // One to try with: more would only wait here, and leave no room for others.
        probing.stream()
                .filter(name -> !limited.contains(name))
                .sorted()
                .forEach(name -> sources.add(
                        (left, bytes) -> claim(request(1, bytes, Set.of()).of(name, 1))));
        if (scope.isPresent() && !scope.get().exclusive()) {
            scope.get().destinations().stream()
                    .sorted()
                    .forEach(name -> sources.add((left, bytes) ->
                            claim(request(left, bytes, Set.of()).of(name, left))));
        } else if (scope.isPresent()) {
            Set<String> excluded = scope.get().destinations();
            sources.add((left, bytes) -> claim(request(left, bytes, excluded)));
        }
        // None of them comes first for ever.
        Collections.rotate(sources, turn++);
        long bytes = parts.claimBytes() - bytes(got);
        for (Source source : sources) {
            if (got.size() < wanted && bytes > 0) {
                List<Send> some = source.claim(wanted - got.size(), bytes);
                got.addAll(some);
                bytes -= bytes(some);
            }
        }
    }

    static long bytes(List<Send> sends) {
        return sends.stream().mapToLong(Send::bytes).sum();
    }

    /** Where rows are claimed from. */
    @FunctionalInterface
    private interface Source {
        List<Send> claim(int limit, long maxBytes);
    }

    private List<Send> claim(ClaimRequest request) {
        long begun = parts.now();
        List<ClaimedEntry> entries = parts.store().claim(request);
        return sends(entries, request.token(), begun);
    }

    private List<Send> claimLimited(String destination, int limit, long maxBytes) {
        ClaimRequest request = request(limit, maxBytes, Set.of()).of(destination, limit);
        long begun = parts.now();
        LimitedClaim claim = parts.store().claimLimited(request);
        if (claim.againIn() != null) {
            long at = parts.now() + claim.againIn().toNanos();
            againAt = waiting ? Math.min(againAt, at) : at;
            waiting = true;
        }
        return sends(claim.entries(), request.token(), begun);
    }

    private ClaimRequest request(int limit, long maxBytes, Set<String> excluded) {
        return new ClaimRequest(
                limit,
                maxBytes,
                config.workerId(),
                UUID.randomUUID(),
                excluded,
                parts.senders().deduplicating());
    }

    /** @param begun when the claim began, by the ticker: its lease counts from there */
    private List<Send> sends(List<ClaimedEntry> entries, UUID token, long begun) {
        parts.observers().claimed(entries.size(), Duration.ofNanos(parts.now() - begun));
        long leaseEnd = begun + config.claimTimeout().toNanos();
        return entries.stream()
                .map(entry -> new Send(
                        entry,
                        token,
                        leaseEnd,
                        parts.senders().config(entry.entry().destination(), config)))
                .toList();
    }
}
