package io.turnframe.outbox.store;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;

/**
 * Sees to the schema before anything uses it. Outside container transactions: a migration commits by itself, which a
 * managed connection in a JTA transaction refuses.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
public class SchemaMigrator {
    @Inject
    private StoreConfig config;

    @PostConstruct
    void run() {
        Schema schema = new Schema(config.dataSource(), config.database());
        switch (config.schemaMode()) {
            case MIGRATE -> schema.migrate();
            case VALIDATE -> schema.validate();
            case OFF -> {}
        }
    }
}
