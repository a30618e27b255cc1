/**
 * What runs inside the server, in a WAR beside the EAR: the senders of the measured destinations, callers of the remote
 * view, and in the same JVM, over a pool of the same size, what the outbox is compared with. {@link
 * io.turnframe.outbox.bench.server.BenchServlet} takes the orders; nothing here is a part of the product.
 */
package io.turnframe.outbox.bench.server;
