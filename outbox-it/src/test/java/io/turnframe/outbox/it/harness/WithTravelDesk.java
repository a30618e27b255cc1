package io.turnframe.outbox.it.harness;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** A test of the EAR as it is shipped with the travel desk beside it; it runs outside of the server. */
public abstract class WithTravelDesk {
    @Deployment(name = "outbox", order = 1, testable = false)
    public static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = "travel-desk", order = 2, testable = false)
    public static WebArchive travelDesk() {
        return Archives.travelDesk();
    }
}
