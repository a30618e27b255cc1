package io.turnframe.outbox.it.harness;

import java.util.LinkedHashMap;
import java.util.Map;
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
            Map<String, String> properties = configuration(event);
            if (!properties.isEmpty()) {
                TestServer.server().setProperties(properties);
            }
        }

        void remove(@Observes(precedence = AFTER_DEPLOYMENTS) AfterClass event) {
            Map<String, String> properties = configuration(event);
            if (!properties.isEmpty()) {
                TestServer.server().resetProperties(properties.keySet());
            }
        }

        private static Map<String, String> configuration(ClassEvent event) {
            Configured configured = event.getTestClass().getAnnotation(Configured.class);
            Map<String, String> properties = new LinkedHashMap<>();
            for (String property : configured == null ? new String[0] : configured.value()) {
                int equals = property.indexOf('=');
                properties.put(property.substring(0, equals), property.substring(equals + 1));
            }
            return properties;
        }
    }
}
