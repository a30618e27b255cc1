/** A business application: its orders stand in a table of its own, and what follows from them in the outbox. */
package io.turnframe.outbox.it.jta.business;
