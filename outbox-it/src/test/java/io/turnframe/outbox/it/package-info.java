/**
 * Tests of the shipped EAR on a real server with a real database. {@code *IT} classes run once for each database, in a
 * run of their own with a server of its own; a class costs one deployment, some ten seconds, so tests share classes.
 *
 * <p>Tests that are clients deploy {@code outbox.ear} as it was built. Tests that need the store's local view run inside
 * the server: the same EAR with one more module, the probe.
 */
package io.turnframe.outbox.it;
