/** The admin resource, as its callers see it. */
package io.turnframe.outbox.it.admin;
