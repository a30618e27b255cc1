package io.turnframe.outbox.batch;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver.Outcome;
import io.turnframe.outbox.store.Attempt;
import io.turnframe.outbox.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/**
 * Sends of {@link io.turnframe.outbox.TransactionalSender}s: each is made and settled in one transaction, on the thread of the
 * send, so that one that hangs, or waits for a lock, holds up no settlement of others. The run only counts them.
 */
final class JointSends {
    /** The transaction was rolled back though the sender confirmed, or the sender gave no answer that counts. */
    static final String ROLLED_BACK = "turnframe.dispatch.rolled_back";

    /** What counts at the deadline. */
    static final Dispatched NO_ANSWER = Dispatched.retryable("turnframe.dispatch.no_answer");

    /** There was no transaction, no connection or no lock in time: the sender was not called. */
    static final String NO_TRANSACTION = "turnframe.dispatch.no_transaction";

    private static final Logger LOG = Logger.getLogger(JointSends.class.getName());

    private static final Dispatched NOT_COMMITTED = Dispatched.retryable(ROLLED_BACK);

    private static final Dispatched NOT_ASKED = Dispatched.unavailable(NO_TRANSACTION);

    private final RunParts parts;
    private final Verdict verdict = new Verdict(RandomGenerator.getDefault());

    JointSends(RunParts parts) {
        this.parts = parts;
    }

    /** What the sender has answered, and whether the claim was lost before it was asked. */
    private static final class Attempted {
        private boolean lost;
        private Dispatched answer = NOT_COMMITTED;
    }

    /** Sends and settles; answers what that says of the destination, if its sender {@linkplain Send#isAsked was asked}. */
    Dispatched send(Send send) {
        Attempted attempted = new Attempted();
        send.settled(new Send.Settled(Outcome.UNSETTLED, null));
        // An interrupted thread must not talk to a database.
        send.end();
        SendTransaction.Ending ending;
        try {
            ending = parts.transaction().run(send.config().sendTimeout(), () -> attempt(send, attempted));
        } catch (RuntimeException | Error failed) {
            LOG.log(Level.WARNING, "the transaction of entry " + send.id() + " failed and is rolled back", failed);
            ending = SendTransaction.Ending.ROLLED_BACK;
        }
        if (ending == SendTransaction.Ending.COMMITTED) {
            send.settled(new Send.Settled(Outcome.COMPLETED, null));
            return attempted.answer;
        }
        if (ending == SendTransaction.Ending.IN_DOUBT) {
            doubt(send);
            return Dispatched.unknown();
        }
        if (attempted.lost) {
            LOG.log(Level.WARNING, "entry {0} was not sent: its claim was lost", send.id());
            return Dispatched.unknown();
        }
        Dispatched answer = afterRollback(send, attempted.answer);
        settle(send, answer);
        return answer;
    }

    /** In the transaction; answers whether it is to commit. */
    private boolean attempt(Send send, Attempted attempted) {
        if (!parts.store().lockClaimed(send.token(), send.id())) {
            attempted.lost = true;
            return false;
        }
        Dispatched answer = send.enter() ? ask(send) : null;
        if (answer == null) {
            return false;
        }
        attempted.answer = answer;
        if (answer.kind() != Dispatched.Kind.COMPLETED) {
            return false;
        }
        String reference = Verdict.usable(((Dispatched.Completed) answer).remoteRef());
        Attempt journalled = parts.journal().keeps(answer.kind())
                ? verdict.journal(send, answer, parts.now(), false, parts.now())
                : null;
        return parts.store().settleHere(send.token(), Settlement.completed(send.id(), reference), journalled)
                && send.isWanted();
    }

    /** The sender's answer, or null for an accident. */
    private static Dispatched ask(Send send) {
        try {
            Dispatched answer = send.sender().send(send.entry());
            if (answer == null) {
                LOG.log(Level.WARNING, "the sender of {0} answered null to entry {1}; it is rolled back", new Object[] {
                    send.entry().destination(), send.id()
                });
            }
            return answer;
        } catch (Throwable accident) {
            if (SenderGone.isProvenBy(accident)) {
                return Dispatched.unavailable(SenderGone.CODE);
            }
            // Not the message: it may quote the payload.
            LOG.log(Level.WARNING, "the sender of {0} threw {1} on entry {2}; it is rolled back", new Object[] {
                send.entry().destination(), accident.getClass().getName(), send.id()
            });
            return null;
        } finally {
            send.end();
        }
    }

    /** Nothing is left: neither a confirmation nor a doubt holds. */
    private static Dispatched afterRollback(Send send, Dispatched answer) {
        if (!send.isAsked()) {
            return NOT_ASKED;
        }
        if (send.answer() != null) {
            return NO_ANSWER;
        }
        return switch (answer.kind()) {
            case COMPLETED, UNKNOWN -> NOT_COMMITTED;
            case RETRYABLE, PERMANENT -> answer;
        };
    }

    /** As unknown, unless recovery completes it, or holds it: then it stays what that makes of it. */
    private void doubt(Send send) {
        LOG.log(
                Level.SEVERE,
                "whether the transaction of entry {0} to {1} has committed is not known; find out whether its effect is there"
                        + " before it is sent again",
                new Object[] {send.id(), send.entry().destination()});
        parts.observers().inDoubt(send.entry().destination());
        settle(send, Dispatched.unknown());
        if (send.settled().outcome() == Outcome.UNKNOWN) {
            parts.observers().outcomeUnknown(send.entry().destination());
        }
    }

    private void settle(Send send, Dispatched answer) {
        long now = parts.now();
        Settlement settlement = verdict.settle(send, answer, Duration.ZERO, Instant.now());
        List<Attempt> attempts = parts.journal().keeps(answer.kind())
                ? List.of(verdict.journal(send, answer, now, false, now))
                : List.of();
        try {
            if (!parts.store()
                    .settle(Map.of(send.token(), List.of(settlement)), attempts)
                    .isEmpty()) {
                LOG.log(Level.WARNING, "entry {0} was not settled: its claim was lost, or it is completed", send.id());
                return;
            }
        } catch (RuntimeException met) {
            LOG.log(Level.WARNING, "entry " + send.id() + " stays claimed until its claim expires", met);
            return;
        }
        send.settled(settled(settlement));
        if (settlement.retryAfter() != null) {
            parts.retryIn().accept(settlement.retryAfter());
        }
    }

    private static Send.Settled settled(Settlement settlement) {
        return switch (settlement.status()) {
            case PENDING -> new Send.Settled(Outcome.RETRIED, settlement.code());
            case FAILED -> new Send.Settled(Outcome.FAILED, settlement.code());
            default -> new Send.Settled(Outcome.UNKNOWN, null);
        };
    }

    /** The run gives it up at its deadline. */
    void missed(Send send) {
        LOG.log(
                Level.WARNING,
                "entry {0} to {1} got no answer in time; its transaction is rolled back, unless it is being committed",
                new Object[] {send.id(), send.entry().destination()});
    }

    /** It has ended after it was given up: the run has counted it as unsettled. */
    void late(Send send) {
        Send.Settled ending = send.settled();
        LOG.log(Level.WARNING, "entry {0} to {1} ended after its deadline: {2}", new Object[] {
            send.id(), send.entry().destination(), ending.outcome()
        });
        if (ending.outcome() != Outcome.UNSETTLED) {
            parts.observers().settled(send.entry().destination(), ending.outcome(), ending.code());
        }
    }
}
