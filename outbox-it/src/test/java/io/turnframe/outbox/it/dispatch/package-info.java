/** The whole way of an entry: the travel desk books, the dispatcher sends, the simulated airline answers. Clients only. */
package io.turnframe.outbox.it.dispatch;
