/** One transaction over the business tables and the outbox, wherever the business tables are, and what a crash leaves. */
package io.turnframe.outbox.it.jta;
