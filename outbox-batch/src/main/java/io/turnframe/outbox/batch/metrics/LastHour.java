package io.turnframe.outbox.batch.metrics;

import java.time.Instant;
import java.util.List;

/**
 * The last hour of a node.
 *
 * @param total all of it
 * @param minutes oldest first, without gaps, since the node first sent or was first asked; the last one still goes on
 */
public record LastHour(Minute total, List<Minute> minutes) {
    public LastHour {
        minutes = List.copyOf(minutes);
    }

    /**
     * Some time of it.
     *
     * @param from when it began
     * @param completed settlements, as the next four: see {@link io.turnframe.outbox.OutboxObserver.Outcome}
     * @param sends sends that ended, those that missed their deadline with them
     * @param msP50 half of them took no longer, in milliseconds; null if there were none
     * @param msP99 all but a hundredth of them took no longer; null if there were none
     */
    public record Minute(
            Instant from,
            long completed,
            long retried,
            long failed,
            long unknown,
            long unsettled,
            long sends,
            Double msP50,
            Double msP99) {}
}
