package io.turnframe.outbox.it.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnframe.outbox.it.harness.Archives;
import io.turnframe.outbox.it.harness.TestServer;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.container.test.api.TargetsContainer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server's life with the outbox on it: start, redeployments, stop. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("lifecycle")
class LifecycleIT {
    private static final String NODE = "node";
    private static final String OUTBOX = "outbox-on-node";
    private static final String TRAVEL_DESK = "travel-desk-on-node";

    @ArquillianResource
    private ContainerController servers;

    @ArquillianResource
    private Deployer deployer;

    private final TestServer server = TestServer.node();
    private final Desk desk = new Desk(server);

    @Deployment(name = OUTBOX, managed = false, testable = false)
    @TargetsContainer(NODE)
    static EnterpriseArchive outbox() {
        return Archives.outbox();
    }

    @Deployment(name = TRAVEL_DESK, managed = false, testable = false)
    @TargetsContainer(NODE)
    static WebArchive travelDesk() {
        return Archives.travelDesk();
    }

    @Test
    void dispatchesThroughRedeploymentsAndARestartWithoutAComplaint() {
        String[] before = server.complaints().toArray(String[]::new);
        servers.start(NODE);
        try {
            deployer.deploy(OUTBOX);
            deployer.deploy(TRAVEL_DESK);
            assertDispatches();
            for (int redeployment = 1; redeployment <= 3; redeployment++) {
                deployer.undeploy(OUTBOX);
                deployer.deploy(OUTBOX);
            }
            assertDispatches();
        } finally {
            servers.stop(NODE);
        }
        // Now both applications come up with the server, in whichever order.
        servers.start(NODE);
        try {
            assertDispatches();
            deployer.undeploy(TRAVEL_DESK);
            deployer.undeploy(OUTBOX);
        } finally {
            servers.stop(NODE);
        }
        assertThat(server.complaints()).containsExactly(before);
        assertThat(server.logged()).anyMatch(line -> line.contains("Turnframe Outbox"));
    }

    private void assertDispatches() {
        desk.await(desk.book("accept"), "completed");
    }
}
