package io.turnframe.outbox.batch.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.turnframe.outbox.Dispatched;
import io.turnframe.outbox.OutboxObserver;
import io.turnframe.outbox.Reconciled;
import io.turnframe.outbox.batch.SendSlots;
import io.turnframe.outbox.store.OutboxQueries;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.EJB;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/** The figures of this node in the text format of Prometheus. */
@ApplicationScoped
public class Metrics implements OutboxObserver {
    @EJB
    private OutboxQueries queries;

    @Inject
    private SendSlots slots;

    private PrometheusMeterRegistry registry;
    private Meters meters;

    /** Not by the constructor, which the container's proxy runs too. */
    @PostConstruct
    void begin() {
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters = new Meters(registry);
    }

    /**
     * All of them, the backlog as it is now.
     *
     * @throws io.turnframe.outbox.OutboxException if the database does not answer
     */
    public String scrape() {
        return meters.scrape(queries.stats(), slots.inFlight());
    }

    @Override
    public void claimed(int entries, Duration took) {
        meters.claimed(entries, took);
    }

    @Override
    public void sent(String destination, Duration latency, Dispatched.Kind answer) {
        meters.sent(destination, latency, answer);
    }

    @Override
    public void settled(String destination, Outcome outcome, String code) {
        meters.settled(destination, outcome, code);
    }

    @Override
    public void outcomeUnknown(String destination) {
        meters.outcomeUnknown(destination);
    }

    @Override
    public void inDoubt(String destination) {
        meters.inDoubt(destination);
    }

    @Override
    public void reconciled(String destination, Reconciled.Kind answer) {
        meters.reconciled(destination, answer);
    }

    @PreDestroy
    void end() {
        registry.close();
    }
}
