/** A sender that is deployed, changed and taken away beside the outbox: two versions of one EJB, and what both need. */
package io.turnframe.outbox.it.carrier;
