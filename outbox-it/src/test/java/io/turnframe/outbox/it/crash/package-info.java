/**
 * What a crash leaves and what becomes of it: a server of its own, killed at chosen points of a dispatch and started again,
 * with the EAR as it was built and a remote in the tests' JVM that outlives it. Not through Arquillian, which cannot kill.
 */
package io.turnframe.outbox.it.crash;
