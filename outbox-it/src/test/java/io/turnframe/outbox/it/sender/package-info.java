/** An application with a sender of its own, an EJB, and what becomes of each thing it may do. */
package io.turnframe.outbox.it.sender;
