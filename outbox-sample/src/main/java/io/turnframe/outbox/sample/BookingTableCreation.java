package io.turnframe.outbox.sample;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;

/** Creates the booking table when the application starts; outside JTA, where a database may refuse to create tables. */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
public class BookingTableCreation {
    @Inject
    private BookingTable bookings;

    @PostConstruct
    void create() {
        bookings.create();
    }
}
