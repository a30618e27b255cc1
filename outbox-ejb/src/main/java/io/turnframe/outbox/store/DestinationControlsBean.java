package io.turnframe.outbox.store;

import io.turnframe.outbox.EntryRules;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptors;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;

/** Gives the controls their transactions, and the database's clock. */
@Stateless
@Interceptors(StoreErrors.class)
public class DestinationControlsBean implements DestinationControls {
    @PersistenceContext(unitName = "outbox")
    private EntityManager em;

    @Inject
    private StoreConfig config;

    private ControlStage controls;
    private ReadStage read;

    @PostConstruct
    void build() {
        ClaimStage claim = new ClaimStage(em, config.database());
        controls = new ControlStage(em, config.dataSource(), config.database(), claim);
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
        return controls.put(wanted, read.now());
    }
}
