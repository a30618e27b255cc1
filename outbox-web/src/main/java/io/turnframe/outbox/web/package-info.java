/**
 * The admin resource below {@code /outbox/api} and what guards it and the operator's page: roles, bounds, headers,
 * problem details.
 *
 * <p>It is not a way for business code to enqueue; that is {@link io.turnframe.outbox.Outbox}, inside the business
 * transaction.
 *
 * <p>Why it is safe: every method names the roles that may call it, and one that names none may be called by nobody;
 * payloads leave it for callers in {@code outbox-payload} alone; errors carry stable codes and no SQL, stack trace or
 * payload.
 */
package io.turnframe.outbox.web;
