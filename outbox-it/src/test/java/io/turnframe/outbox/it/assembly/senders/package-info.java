/** The module that is added, as its author writes it. */
package io.turnframe.outbox.it.assembly.senders;
