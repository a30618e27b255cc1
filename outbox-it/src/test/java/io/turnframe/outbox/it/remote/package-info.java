/** The remote view, called from another deployment as a business application calls it. */
package io.turnframe.outbox.it.remote;
