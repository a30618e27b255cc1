/**
 * The operator's page in a real browser: the one that is installed, without a window, driven over its DevTools protocol.
 * Nothing is downloaded and no driver is needed.
 */
package io.turnframe.outbox.it.page;
