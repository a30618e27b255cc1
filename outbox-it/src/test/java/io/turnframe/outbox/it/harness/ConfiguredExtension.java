package io.turnframe.outbox.it.harness;

import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;
import org.jboss.arquillian.test.spi.event.suite.AfterClass;
import org.jboss.arquillian.test.spi.event.suite.BeforeClass;
import org.jboss.arquillian.test.spi.event.suite.ClassEvent;

/** Makes {@link Configured} work: the properties are there before Arquillian deploys, and gone after it undeployed. */
public final class ConfiguredExtension implements LoadableExtension {
    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(Properties.class);
    }

    /** Around the deployments, which stand at precedence 0. */
    static final class Properties {
        private static final int BEFORE_DEPLOYMENTS = 100;
        private static final int AFTER_DEPLOYMENTS = -100;

        void set(@Observes(precedence = BEFORE_DEPLOYMENTS) BeforeClass event) {
            for (String property : configuration(event)) {
                int equals = property.indexOf('=');
                TestServer.server().setProperty(property.substring(0, equals), property.substring(equals + 1));
            }
        }

        void remove(@Observes(precedence = AFTER_DEPLOYMENTS) AfterClass event) {
            for (String property : configuration(event)) {
                TestServer.server().removeProperty(property.substring(0, property.indexOf('=')));
            }
        }

        private static String[] configuration(ClassEvent event) {
            Configured configured = event.getTestClass().getAnnotation(Configured.class);
            return configured == null ? new String[0] : configured.value();
        }
    }
}
