/** Runs beside the outbox, and takes the messages. */
package io.turnframe.outbox.it.faults.queue;
