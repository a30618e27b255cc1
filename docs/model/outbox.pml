/*
 * One row of tf_outbox, two workers, the timer that releases claims, and an operator.
 * How to run it, what it leaves out, and what Spin says: README.md.
 *
 * Each d_step that touches the row is one transaction of the store: ClaimStage, SettleStage, ReleaseStage, VerdictStage.
 */

/* Bounds. Beyond them nothing goes wrong any more, and every row must end. */
#ifndef FAULTS
#define FAULTS 1        /* crashes of a worker, and settlements whose commit fails or is in doubt */
#endif
#ifndef FREEZES
#define FREEZES 1       /* claims that expire while their worker lives: it is frozen, or cut off */
#endif
#ifndef GIVE_BACKS
#define GIVE_BACKS 0       /* claimed, and not sent */
#endif
#ifndef RESENDS
#define RESENDS 1       /* authorised by a reconciler or an operator */
#endif
#define MAX_ATTEMPTS 2
#define MAX_ABANDONED 3

/* Each claim is ended by a retry, one of the above, or the end of the row. */
#define CLAIMS (FAULTS + FREEZES + GIVE_BACKS + RESENDS + MAX_ATTEMPTS + 1)

mtype = { pending, dispatching, completed, failed, outcome_unknown };
mtype = { none, confirmed, retryable, permanent, unknown };
mtype = { idle, started, begun };

/* The row. Claims are numbered by attempt_count, and the number serves as the token. */
mtype status = pending;
byte attempt_count = 0;
byte claim_token = 0;
byte claim_worker = 0;
bool send_started = false;
byte forgiven = 0;
byte abandoned = 0;

/* Nobody works on the present claim any more. The store cannot see it; it only lets the claim expire. */
bool orphaned = false;

/* The sends, by claim: where its thread is, on which node, its answer, and whether its deadline has passed. */
mtype stage[CLAIMS] = idle;
byte node_of[CLAIMS];
mtype answer[CLAIMS] = none;
bool expired[CLAIMS];

byte faults = FAULTS;
byte freezes = FREEZES;
byte give_backs = GIVE_BACKS;
byte resends = RESENDS;

/* What the properties are about. */
byte in_doubt = 0;      /* requests that left and were not answered as retryable: the remote may have acted on each */
byte authorised = 0;
byte sent_again = 0;    /* releases to pending although a send may have left */

#define ENDED (status == completed || status == failed)

#ifdef NO_FENCE
#define HELD(claim) (status == dispatching)
#else
#define HELD(claim) (status == dispatching && claim_token == claim)
#endif

#ifdef NO_ATTEMPT
#define UNCLAIMED_SINCE(claim) true
#else
#define UNCLAIMED_SINCE(claim) (attempt_count == claim)
#endif

/* Property 2: what has ended stays as it is, and no claim decides about a row that another has taken since. */
#define BY_ID 0
inline become(next, by) {
    assert(!ENDED);
    assert(by == BY_ID || by == attempt_count);
    status = next;
    send_started = false;
}

/* SettleStage.completeLate. */
#define COMPLETES_LATE(claim) (UNCLAIMED_SINCE(claim) && (status == outcome_unknown || status == pending || HELD(claim)))

/*
 * Verdict.settle, SettleStage.settle. A repeat finds its own work and changes nothing. What was confirmed under a claim that
 * is lost by now completes the row as a late answer does (Settler.refused).
 */
inline settle(claim, used, outcome) {
    if
    :: HELD(claim) && outcome == confirmed -> become(completed, claim)
    :: HELD(claim) && outcome == permanent -> become(failed, claim)
    :: HELD(claim) && outcome == unknown -> become(outcome_unknown, claim)
    :: HELD(claim) && outcome == retryable && used >= MAX_ATTEMPTS -> become(failed, claim)
    :: HELD(claim) && outcome == retryable && used < MAX_ATTEMPTS -> become(pending, claim)
#ifndef FORGET_CONFIRMED
    :: !HELD(claim) && outcome == confirmed && COMPLETES_LATE(claim) -> become(completed, claim)
#endif
    :: else
    fi;
    assert(outcome != confirmed || !COMPLETES_LATE(claim))  /* property 4 */
}

/* SettleStage.giveBack. */
inline giveBack(claim) {
    if
    :: HELD(claim) -> become(pending, claim); forgiven++
    :: else
    fi
}

/* A node dies. What it had written to a socket is out; its threads do nothing more. */
inline crash(node) {
    d_step {
        faults > 0 && !ENDED ->
        faults--;
        for (i : 1 .. CLAIMS - 1) {
            if
            :: node_of[i] == node -> node_of[i] = 0; stage[i] = idle; answer[i] = none; expired[i] = false
            :: else
            fi
        }
        i = 0;
        if
        :: status == dispatching && claim_worker == node -> orphaned = true
        :: else
        fi
    }
}

/* The batch thread of a node. After a crash it is the node that was started again. */
proctype Worker(byte node) {
    byte claim, used, i;
    mtype outcome;

again:
    claim = 0; used = 0; outcome = none;
    if
    :: d_step {                                     /* ClaimStage.claim */
            status == pending && (node == 1 || attempt_count > 0) ->    /* the workers are alike */
            attempt_count++;
            assert(attempt_count < CLAIMS);
            claim = attempt_count;
            used = attempt_count - forgiven;
            claim_token = claim;
            claim_worker = node;
            orphaned = false;
            send_started = false;
            status = dispatching
        }
    :: crash(node); goto again                      /* threads of old claims may still be out */
    :: ENDED -> goto end
    fi;

    if
    :: atomic {                                     /* SettleStage.mark; the send is handed to the executor */
#if defined(DEDUPLICATES) || defined(NO_MARK)
            true ->
#else
            HELD(claim) ->
            send_started = true;
#endif
            stage[claim] = started;
            node_of[claim] = node
        }
#if !defined(DEDUPLICATES) && !defined(NO_MARK)
    :: atomic { !HELD(claim) -> goto again }        /* its claim was lost: it must not be sent */
#endif
    :: d_step {                                     /* the lease runs short, no sender, the job is stopped */
            give_backs > 0 ->
            give_backs--;
            giveBack(claim)
        };
        goto again
    :: crash(node); goto again
    fi;

    do
    :: d_step {
            answer[claim] != none ->
            outcome = answer[claim];
            answer[claim] = none;
            node_of[claim] = 0
        };
        break
    :: d_step {                                     /* the deadline */
            stage[claim] == begun ->
            outcome = unknown;
            expired[claim] = true
        };
        break
    :: d_step {                                     /* no thread was free */
            stage[claim] == started && give_backs > 0 ->
            stage[claim] = idle;
            node_of[claim] = 0;
            give_backs--;
            giveBack(claim)
        };
        goto again
    :: crash(node); goto again
    od;

    if
    :: d_step { settle(claim, used, outcome) }
    :: d_step { faults > 0 -> faults--; settle(claim, used, outcome) };     /* the commit is in doubt: once more */
        d_step { settle(claim, used, outcome) }
    :: d_step {                                     /* it fails, row by row too: left to the release */
            faults > 0 ->
            faults--;
            if
            :: status == dispatching && attempt_count == claim -> orphaned = true
            :: else
            fi
        }
    :: crash(node)
    fi;
    goto again;

end:
    skip
}

/* The thread of a send. It may stand still between any two of its steps, and dies with its node. */
proctype Sender(byte claim) {
    mtype got;
    bool left;

end_waiting:
    atomic { stage[claim] == started -> stage[claim] = begun };     /* Send.begin */

    if
    :: atomic { stage[claim] == begun -> got = retryable }          /* no connection: nothing leaves */
    :: atomic {                                                     /* property 1: the request leaves */
            stage[claim] == begun ->
#ifndef DEDUPLICATES
            assert(in_doubt <= authorised);
#endif
#ifdef REQUEST_AFTER_END
            assert(!ENDED);
#endif
            in_doubt++;
            left = true
        }
    :: stage[claim] == idle -> goto over
    fi;

    atomic {
        if
        :: stage[claim] == idle -> got = none; left = false; goto over
        :: stage[claim] == begun && !left
        :: stage[claim] == begun && left -> got = confirmed
        :: stage[claim] == begun && left -> got = retryable
        :: stage[claim] == begun && left -> got = permanent
        :: stage[claim] == begun && left -> got = unknown
        :: stage[claim] == begun && left && expired[claim] -> got = none
        fi;
        if
        :: !expired[claim] ->                                       /* Send.answer */
            answer[claim] = got;
            if
            :: left && got == retryable -> in_doubt--
            :: else
            fi
        :: expired[claim] && got == confirmed && COMPLETES_LATE(claim) -> become(completed, claim)
        :: else
        fi;
        stage[claim] = idle;
        expired[claim] = false;
        if
        :: answer[claim] == none -> node_of[claim] = 0
        :: else
        fi;
        got = none;
        left = false
    };

over:
    skip
}

/* The timer of any node: ReleaseStage. */
proctype Timer() {
    do
    :: d_step {
            status == dispatching && (orphaned || freezes > 0) ->
            if
            :: !orphaned -> freezes--
            :: else
            fi;
            forgiven++;
            claim_token = 0;
            orphaned = false;
            if
            :: send_started -> abandoned++; become(outcome_unknown, attempt_count)
            :: else ->
#ifdef DEDUPLICATES
                abandoned++;
                if
                :: abandoned < MAX_ABANDONED -> sent_again++; become(pending, attempt_count)
#ifdef NO_POISON_GUARD
                :: abandoned >= MAX_ABANDONED -> sent_again++; become(pending, attempt_count)
#else
                :: abandoned >= MAX_ABANDONED -> become(outcome_unknown, attempt_count)
#endif
                fi;
                assert(sent_again < MAX_ABANDONED)
#else
                become(pending, attempt_count)
#endif
            fi
        }
    :: ENDED -> break
    od
}

#ifdef ENDS
#define MAY_BE_PUT_BACK (status == outcome_unknown)
#else
#define MAY_BE_PUT_BACK (status == outcome_unknown || status == dispatching)
#endif

/*
 * A reconciler and an operator: VerdictStage. The calls by id work on a row that is being sent, too. Not for property 3:
 * a row must end without them.
 */
proctype Operator() {
    do
    :: d_step { status == outcome_unknown -> become(completed, BY_ID) }
    :: d_step { status == outcome_unknown -> become(failed, BY_ID) }
    :: d_step {                                     /* the resend is authorised */
            MAY_BE_PUT_BACK && resends > 0 ->
            resends--;
            authorised++;
            claim_token = 0;
            become(pending, BY_ID)
        }
#ifndef ENDS
    :: d_step { status == dispatching -> become(completed, BY_ID) }
    :: d_step { status == dispatching -> become(failed, BY_ID) }
    :: d_step { status == dispatching -> become(outcome_unknown, BY_ID) }
#endif
    :: ENDED -> break
    od
}

init {
    byte claim;
    atomic {
        for (claim : 1 .. CLAIMS - 1) {
            run Sender(claim)
        }
        run Worker(1);
        run Worker(2);
#ifndef NO_RELEASE
        run Timer();
#endif
        run Operator()
    }
}

#ifdef ENDS
/* Property 3. */
ltl ends { <> ENDED }
#endif
