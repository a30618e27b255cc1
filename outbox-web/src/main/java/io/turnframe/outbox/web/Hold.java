package io.turnframe.outbox.web;

import io.turnframe.outbox.store.DestinationControl;
import java.time.Instant;

/** Whether everything is held; by whom, when and why it was said last, each null if nobody did. */
public record Hold(boolean held, String note, String changedBy, Instant changedAt) {
    static Hold of(DestinationControl everything) {
        return new Hold(everything.held(), everything.note(), everything.changedBy(), everything.changedAt());
    }
}
