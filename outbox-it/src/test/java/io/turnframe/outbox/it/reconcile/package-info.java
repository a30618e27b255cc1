/** Reconciliation on the server, against a remote that never answers and a reconciler that does as it is told. */
package io.turnframe.outbox.it.reconcile;
