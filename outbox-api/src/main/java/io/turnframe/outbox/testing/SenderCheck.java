package io.turnframe.outbox.testing;

import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxEntry;
import io.turnframe.outbox.OutboxSender;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tries a sender on a remote that confirms, refuses, breaks off, and says nothing, and tells which of the rules of senders
 * its answers break. For a sender over HTTP:
 *
 * <pre>{@code
 * try (ScriptedRemote remote = ScriptedRemote.start()) {
 *     OutboxSender sender = new CrmSender(remote.url());
 *     assertEquals(List.of(), SenderCheck.of(remote, sender).run());
 * }
 * }</pre>
 *
 * <p>For any other, {@link #judge} says what an answer may be by what the remote has done.
 */
public final class SenderCheck {
    /** What a remote has done with a request, as far as the sender can know. */
    public enum Effect {
        /** It has done it, and said so. */
        CONFIRMED,
        /** It has not done it, and said so; or the request never left. */
        NONE,
        /** Nobody knows. */
        UNKNOWN
    }

    private static final String MARK = "4711-0815";
    private static final String PAYLOAD = "{\"card\":\"" + MARK + "\"}";
    private static final int MAX_CODE = 128;

    private final ScriptedRemote remote;
    private final OutboxSender sender;
    private String confirmation = "201 Created";
    private String confirmationBody = "{}";
    private String refusal = "422 Unprocessable Content";
    private boolean deduplicates;
    private Duration patience = Duration.ofSeconds(10);

    private final List<String> broken = new ArrayList<>();

    private SenderCheck(ScriptedRemote remote, OutboxSender sender) {
        this.remote = remote;
        this.sender = sender;
    }

    /** @param sender one that sends to {@link ScriptedRemote#url} */
    public static SenderCheck of(ScriptedRemote remote, OutboxSender sender) {
        return new SenderCheck(remote, sender);
    }

    /**
     * How this remote confirms; without it {@code 201 Created} with the body <code>{}</code>.
     *
     * @param status as {@code 200 OK}
     * @param body text, sent as UTF-8
     */
    public SenderCheck confirming(String status, String body) {
        confirmation = status;
        confirmationBody = body;
        return this;
    }

    /** How this remote refuses for good, as {@code 409 Conflict}; without it {@code 422 Unprocessable Content}. */
    public SenderCheck refusing(String status) {
        refusal = status;
        return this;
    }

    /** This remote drops a request whose key it has seen: to repeat what may have arrived breaks no rule. */
    public SenderCheck deduplicating() {
        deduplicates = true;
        return this;
    }

    /** How long a call may take, and its end after an interrupt; without it 10 s. */
    public SenderCheck patience(Duration longest) {
        patience = longest;
        return this;
    }

    /**
     * Which rules the sender breaks, each in one sentence that begins with what the remote did; empty if none. Calls the
     * sender about ten times, on a thread of its own.
     */
    public List<String> run() {
        broken.clear();
        play("confirms", Effect.CONFIRMED, out -> out.answer(confirmation, confirmationBody));
        play("confirms again", Effect.CONFIRMED, out -> out.answer(confirmation, confirmationBody));
        play("refuses", Effect.NONE, out -> out.answer(refusal, "{}"));
        play("is busy", Effect.NONE, out -> out.answer("503 Service Unavailable", "", "Retry-After: 7"));
        play("redirects", Effect.UNKNOWN, out -> out.answer("307 Temporary Redirect", "", "Location: /elsewhere"));
        play("has an error", Effect.UNKNOWN, out -> out.answer("500 Internal Server Error", ""));
        play("closes after the request", Effect.UNKNOWN, out -> {});
        play("closes within its answer", Effect.UNKNOWN, out -> out.write("HTTP/1.1 20"));
        play("answers something else", Effect.UNKNOWN, out -> out.write("hello\r\n\r\n"));
        hang();
        return List.copyOf(broken);
    }

    private void play(String what, Effect effect, ScriptedRemote.Part part) {
        remote.plays(part);
        Call call = new Call();
        Dispatched answer = call.await(what);
        if (answer != null) {
            judged(what, effect, answer);
        }
        requests(what, call.entry);
    }

    /** The dispatcher interrupts a send whose deadline has passed; its slot is free only when the sender comes back. */
    private void hang() {
        String what = "says nothing";
        remote.plays(ScriptedRemote.Wire::hang);
        Call call = new Call();
        try {
            if (!remote.awaitRequest(patience)) {
                broken.add(what + ": no request arrived in " + patience);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        call.thread.interrupt();
        Dispatched answer = call.await(what + ", and the sender is interrupted");
        if (answer != null) {
            judged(what, Effect.UNKNOWN, answer);
        }
        requests(what, call.entry);
    }

    private void judged(String what, Effect effect, Dispatched answer) {
        judge(effect, deduplicates, answer).forEach(rule -> broken.add(what + ": " + rule));
    }

    private void requests(String what, OutboxEntry entry) {
        List<String> requests = remote.requests();
        if (requests.size() > 1) {
            broken.add(what + ": one call made " + requests.size()
                    + " requests; to send again is the dispatcher's, which knows whether it may");
        }
        if (requests.stream().anyMatch(request -> !carries(request, entry.idempotencyKey()))) {
            broken.add(what + ": the request lacks the entry's idempotencyKey(), or has another in its place");
        }
    }

    private static boolean carries(String request, String key) {
        if (request.contains(key)) {
            return true;
        }
        try {
            return URLDecoder.decode(request, StandardCharsets.UTF_8).contains(key);
        } catch (IllegalArgumentException notEncoded) {
            return false;
        }
    }

    /**
     * Which rules an answer breaks, each in one sentence; empty if none.
     *
     * @param effect what the remote has done
     * @param deduplicates whether the remote drops a request whose key it has seen
     * @param answer what the sender answered; null is one that breaks a rule
     */
    public static List<String> judge(Effect effect, boolean deduplicates, Dispatched answer) {
        List<String> broken = new ArrayList<>();
        if (answer == null) {
            broken.add("null is no answer; answer unknown()");
            return broken;
        }
        Set<Dispatched.Kind> allowed = allowed(effect, deduplicates);
        if (!allowed.contains(answer.kind())) {
            broken.add(answer.kind() + " is wrong, " + consequence(effect, answer.kind()) + "; allowed: " + allowed);
        }
        String code = code(answer);
        if (code != null && code.contains(MARK)) {
            broken.add("the code holds something of the payload; codes are names, such as crm.busy");
        } else if (code != null && !isName(code)) {
            broken.add("the code '" + code + "' is no stable name; write one such as crm.busy");
        }
        return broken;
    }

    private static Set<Dispatched.Kind> allowed(Effect effect, boolean deduplicates) {
        return switch (effect) {
            case CONFIRMED -> EnumSet.of(Dispatched.Kind.COMPLETED);
            case NONE -> EnumSet.complementOf(EnumSet.of(Dispatched.Kind.COMPLETED));
            case UNKNOWN ->
                deduplicates
                        ? EnumSet.of(Dispatched.Kind.UNKNOWN, Dispatched.Kind.RETRYABLE)
                        : EnumSet.of(Dispatched.Kind.UNKNOWN);
        };
    }

    private static String consequence(Effect effect, Dispatched.Kind kind) {
        return switch (kind) {
            case COMPLETED -> "for the effect may be missing";
            case RETRYABLE -> "for the effect may happen twice";
            case PERMANENT -> "for the effect may exist, and the entry counts as failed";
            case UNKNOWN -> "for the remote has confirmed";
        };
    }

    private static String code(Dispatched answer) {
        if (answer instanceof Dispatched.Retryable retryable) {
            return retryable.code();
        }
        return answer instanceof Dispatched.Permanent permanent ? permanent.code() : null;
    }

    private static boolean isName(String code) {
        return code.length() <= MAX_CODE && code.matches("[A-Za-z0-9._:-]+");
    }

    /** One call of the sender, on a thread of its own. */
    private final class Call {
        private final OutboxEntry entry =
                OutboxEntry.pending(UUID.randomUUID(), "checked", "key-" + UUID.randomUUID(), PAYLOAD);

        private final FutureTask<Dispatched> task = new FutureTask<>(() -> sender.send(entry));
        private final Thread thread = new Thread(task, "sender-check");

        Call() {
            thread.setDaemon(true);
            thread.start();
        }

        /** What was answered; null, with a rule broken, if nothing was. */
        Dispatched await(String what) {
            try {
                Dispatched answer = task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
                if (answer == null) {
                    broken.add(what + ": null is no answer; answer unknown()");
                }
                return answer;
            } catch (ExecutionException thrown) {
                broken.add(what + ": it threw " + thrown.getCause().getClass().getName()
                        + ", which counts as unknown; answer it, so that it is meant");
            } catch (TimeoutException stuck) {
                broken.add(what + ": it did not come back in " + patience
                        + "; heed the interrupt, and give every wait a timeout of its own");
                thread.interrupt();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                broken.add(what + ": the check was interrupted");
            }
            return null;
        }
    }
}
