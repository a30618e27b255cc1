/** A sender that answers as its entry asks it to, deployed in the EAR or beside it. */
package io.turnframe.outbox.it.obeying;
