package io.turnframe.outbox.batch;

import jakarta.enterprise.context.ApplicationScoped;

/** The purges of this node. */
@ApplicationScoped
public class PurgeRuns extends StoppableRuns {}
