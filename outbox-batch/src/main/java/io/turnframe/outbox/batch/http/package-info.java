/** The HTTP sender: how an answer, or the lack of one, is classified. */
package io.turnframe.outbox.batch.http;
