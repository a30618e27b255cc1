package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.List;

/** Gives the controls their transactions, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
public class DestinationControlsBean implements DestinationControls {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    @Inject
    private Event<AuditRecord> audited;

    private ControlStage controls;
    private AuditStage audit;
    private ReadStage read;

    @PostConstruct
    void build() {
        ClaimStage claim = new ClaimStage(em, config.database());
        controls = new ControlStage(em, config.dataSource(), config.database(), claim);
        audit = new AuditStage(config.dataSource(), config.database(), audited::fire);
        read = new ReadStage(em, config.dataSource(), config.database());
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public List<DestinationControl> all() {
        return controls.all();
    }

    @Override
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public DestinationControl put(DestinationControl wanted) {
        EntryRules.present("changedBy", wanted.changedBy());
        Instant now = read.now();
        DestinationControl stored = controls.put(wanted, now);
        Act act = Act.of(wanted.changedBy(), wanted.note());
        audit.write(AuditStage.of(AuditedAct.CONTROL, act, now, wanted.destination(), said(stored)));
        return stored;
    }

    private static String said(DestinationControl control) {
        return "held=" + control.held()
                + (control.concurrency() == null ? "" : " concurrency=" + control.concurrency())
                + (control.rate() == null ? "" : " rate=" + control.rate());
    }
}
