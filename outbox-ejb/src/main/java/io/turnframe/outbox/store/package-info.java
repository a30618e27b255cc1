/**
 * The store over the table {@code tf_outbox}: one stage class for each verb, a stateless bean that gives them their
 * transactions, and the remote {@link io.turnframe.outbox.Outbox} for business applications.
 *
 * <p>It is not a dispatcher: nothing here sends anything or starts a thread.
 *
 * <p>Why it is safe: a claim locks the rows it takes with PESSIMISTIC_WRITE and SKIP LOCKED, so that two workers never
 * get the same row; every claim writes a random token, and a settlement names the token, so that a worker that has lost
 * its claim cannot settle the row of another; every statement that changes a status names the status it expects.
 */
package io.turnframe.outbox.store;
