/**
 * The benchmark: starts a PostgreSQL and a WildFly with the EAR, orders measurements, and writes what came of them. The
 * contenders of a case take turns within each round, and are compared by the ratios within the rounds, so that what the
 * machine does beside it falls on all of them.
 */
package io.turnframe.outbox.bench;
