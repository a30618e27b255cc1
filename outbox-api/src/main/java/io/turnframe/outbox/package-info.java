/**
 * The contract of the outbox: the values, the store, the sender, the reconciler, the observer, the exceptions. A business
 * application compiles against this package and needs nothing else.
 *
 * <p>It is not an implementation and it is free of Jakarta imports, so that it can stand in any deployment. Values that
 * cross a remote EJB view are immutable, serializable final classes whose serial form holds only longs, strings and
 * UUIDs: records and {@code java.time} fields are refused by some servers' object request brokers. Values that stay
 * inside one deployment are records.
 */
package io.turnframe.outbox;
