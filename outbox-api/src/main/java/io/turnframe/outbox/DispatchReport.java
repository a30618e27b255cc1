package io.turnframe.outbox;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one dispatch run did, in counts of rows.
 *
 * @param completed confirmed by the remote
 * @param retried back in the queue with a back-off
 * @param failed refused by the remote, or their budget spent
 * @param unknown outcome unknown; to be reconciled
 * @param unsettled the settlement was refused or failed; left as the store has them
 */
public record DispatchReport(long completed, long retried, long failed, long unknown, long unsettled) {
    /** Nothing done. */
    public static final DispatchReport EMPTY = new DispatchReport(0, 0, 0, 0, 0);

    private static final Pattern LINE = Pattern.compile(
            "completed=(\\d{1,18}) retried=(\\d{1,18}) failed=(\\d{1,18}) unknown=(\\d{1,18}) unsettled=(\\d{1,18})");

    /** The report that {@link #toString} wrote; empty for any other text, and for null. */
    public static Optional<DispatchReport> parse(String line) {
        Matcher counts = LINE.matcher(line == null ? "" : line);
        return counts.matches()
                ? Optional.of(new DispatchReport(
                        Long.parseLong(counts.group(1)),
                        Long.parseLong(counts.group(2)),
                        Long.parseLong(counts.group(3)),
                        Long.parseLong(counts.group(4)),
                        Long.parseLong(counts.group(5))))
                : Optional.empty();
    }

    /** How many rows were sent. */
    public long sent() {
        return completed + retried + failed + unknown + unsettled;
    }

    /** The sum of both. */
    public DispatchReport plus(DispatchReport other) {
        return new DispatchReport(
                completed + other.completed,
                retried + other.retried,
                failed + other.failed,
                unknown + other.unknown,
                unsettled + other.unsettled);
    }

    /** One line of counts: the exit status of the job. */
    @Override
    public String toString() {
        return "completed=" + completed + " retried=" + retried + " failed=" + failed + " unknown=" + unknown
                + " unsettled=" + unsettled;
    }
}
