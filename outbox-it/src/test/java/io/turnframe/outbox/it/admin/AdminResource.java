package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.harness.Configured;
import io.turnframe.outbox.it.harness.WithTravelDesk;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of the whole admin resource, with a dispatcher that brings entries into every status. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("wildfly")
@Tag("embedded-database")
@Configured({
    "outbox.dispatch.enabled=true",
    "outbox.dispatch.tick=200ms",
    "outbox.dispatch.send-timeout=1s",
    "outbox.dispatch.journal=all",
    "outbox.reconcile.enabled=false",
    "outbox.admin.enqueue=true"
})
abstract class AdminResource extends WithTravelDesk {}
