/**
 * Figures for monitoring: what the dispatcher of this node does, as counters and histograms, and the backlog, counted when it
 * is asked for.
 *
 * <p>Why it is safe: label values are names of destinations and stable codes, of both a bounded number, and
 * nothing here is on the way of an entry.
 */
package io.turnframe.outbox.batch.metrics;
