/**
 * The JMS sender. Its classes are the only ones that need Jakarta Messaging, and are loaded for a destination with
 * {@code sender=jms} alone: the EAR deploys on servers that have none.
 */
package io.turnframe.outbox.batch.jms;
