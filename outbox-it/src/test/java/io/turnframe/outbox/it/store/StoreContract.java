package io.turnframe.outbox.it.store;

/** All that a store must keep. */
interface StoreContract
        extends EnqueueContract, ReadContract, ClaimContract, VerdictContract, FenceContract, ReleaseContract {}
