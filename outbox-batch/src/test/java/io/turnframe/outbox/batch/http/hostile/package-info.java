/** Remotes that misbehave for real, on loopback, for tests of the sender alone and of the sender on a server. */
package io.turnframe.outbox.batch.http.hostile;
