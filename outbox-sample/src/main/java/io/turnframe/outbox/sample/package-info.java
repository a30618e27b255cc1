/**
 * A travel desk: how a business application uses the outbox. {@link io.turnframe.outbox.sample.TravelDesk} stores a
 * booking in its own table and enqueues the request to the airline in one JTA transaction; the rest of the package is
 * what a person and the tests need around it, and a simulated airline to send to.
 *
 * <p>It is a demonstration, not a library: nothing depends on it, and the airline forgets everything at a restart.
 */
package io.turnframe.outbox.sample;
