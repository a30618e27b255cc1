package io.turnframe.outbox.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * All that is known of an entry but its payload; the lists are in the order of what happened.
 *
 * @param attempts what was journalled of its sends
 * @param reconciliations the answers of reconcilers that settled it
 * @param audit what operators did to it
 */
public record RecordStory(
        OutboxSummary summary, List<PastAttempt> attempts, List<PastAnswer> reconciliations, List<AuditRecord> audit) {
    /** Bytes of the digest that are kept: more than enough to tell versions of one record apart. */
    private static final int LENGTH = 15;

    public RecordStory {
        attempts = List.copyOf(attempts);
        reconciliations = List.copyOf(reconciliations);
        audit = List.copyOf(audit);
    }

    /** Whether the payload is no longer the one that was enqueued. */
    public boolean payloadErased() {
        return audit.stream().anyMatch(act -> AuditedAct.ERASE_PAYLOAD.label().equals(act.act()));
    }

    /** Changes whenever anything in it does, and is the same on every node: letters, digits, {@code -} and {@code _}. */
    public String version() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(toString().getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, LENGTH));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
