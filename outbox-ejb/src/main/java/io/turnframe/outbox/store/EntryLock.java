package io.turnframe.outbox.store;

import io.turnframe.outbox.OutboxException;
import io.turnframe.outbox.OutboxNotFoundException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.TypedQuery;
import java.util.UUID;

/** Locks one entry for an act of an operator, if it is still in a version that the act may go on from. */
final class EntryLock {
    private final EntityManager em;
    private final Database database;
    private final StoryStage story;

    EntryLock(EntityManager em, Database database, StoryStage story) {
        this.em = em;
        this.database = database;
        this.story = story;
    }

    /**
     * Waits for whoever holds it, within bounds.
     *
     * @throws OutboxNotFoundException if there is no such entry
     * @throws OutboxException with code {@link OutboxOperations#STALE}
     */
    LockedEntry lock(UUID id, Act act) {
        TypedQuery<Object[]> query = em.createQuery(OperateStage.ENTRY + " where o.outboxId = :id", Object[].class)
                .setParameter("id", id)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE);
        database.bounded(query);
        LockedEntry entry = query.getResultStream()
                .findFirst()
                .map(LockedEntry::of)
                .orElseThrow(() -> new OutboxNotFoundException(id));
        if (act.versions() != null && !act.versions().contains(story.story(id).version())) {
            throw new OutboxException(
                    OutboxOperations.STALE,
                    "entry " + id + " has changed since it was read; read it again, then decide again",
                    id);
        }
        return entry;
    }
}
