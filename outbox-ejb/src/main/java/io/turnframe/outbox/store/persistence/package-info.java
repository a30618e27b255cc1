/**
 * What EclipseLink needs to run the same persistence unit on every server and database: the transaction manager found
 * where the server keeps it, the platform chosen from the connection, SKIP LOCKED, and the converters.
 */
package io.turnframe.outbox.store.persistence;
