package io.turnframe.outbox.it.harness;

import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Makes {@link PayaraContainer} known where the tests run on Payara. */
public final class PayaraExtension implements LoadableExtension {
    @Override
    public void register(ExtensionBuilder builder) {
        if ("payara".equals(TestServer.kind())) {
            builder.service(DeployableContainer.class, PayaraContainer.class);
        }
    }
}
