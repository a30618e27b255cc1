/** What the tests run in: the database, the free ports, the archives. Client side only; none of it is deployed. */
package io.turnframe.outbox.it.harness;
