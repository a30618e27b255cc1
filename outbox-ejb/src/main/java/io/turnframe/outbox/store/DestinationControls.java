package io.turnframe.outbox.store;

import io.turnframe.outbox.InvalidRecordException;
import jakarta.ejb.Local;
import java.util.List;

/** The holds and limits of destinations, kept in {@code tf_outbox_destination}. */
@Local
public interface DestinationControls {
    /** All that was said, by destination; one statement. */
    List<DestinationControl> all();

    /**
     * Says it, in a transaction of its own, which also puts it on record in {@code tf_outbox_audit}: replaces all that was
     * said about the destination before.
     *
     * @param wanted its {@code changedBy} says who; its {@code changedAt} is not looked at
     * @return as stored, with the database's time
     * @throws InvalidRecordException if nobody is named
     */
    DestinationControl put(DestinationControl wanted);
}
