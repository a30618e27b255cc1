package io.turnframe.outbox.store;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import org.flywaydb.core.Flyway;

/**
 * Brings the schema up before anything uses it. Outside container transactions: a migration commits by itself, which a
 * managed connection in a JTA transaction refuses.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
public class SchemaMigrator {
    private static final String HISTORY_TABLE = "tf_outbox_history";
    private static final String SCRIPTS = "classpath:io/turnframe/outbox/schema/";

    @Inject
    private StoreConfig config;

    @PostConstruct
    void run() {
        switch (config.schemaMode()) {
            case MIGRATE -> flyway().migrate();
            case VALIDATE -> flyway().validate();
            case OFF -> {}
        }
    }

    /** The schema may hold the application's tables too: hence the baseline below our first script. */
    private Flyway flyway() {
        return Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(config.dataSource())
                .locations(SCRIPTS + config.database().label())
                .failOnMissingLocations(true)
                .table(HISTORY_TABLE)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
    }
}
