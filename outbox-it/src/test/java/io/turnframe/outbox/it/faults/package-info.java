/**
 * Servers that are stopped, killed and frozen, in the midst of their work and at chosen points of it, alone and three at a
 * time, with a remote in the tests' JVM that outlives them and counts. They are processes of their own, not Arquillian's.
 */
package io.turnframe.outbox.it.faults;
