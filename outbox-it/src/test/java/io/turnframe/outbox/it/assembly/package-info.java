/** An EAR of one's own: the modules of ours, and one more. */
package io.turnframe.outbox.it.assembly;
