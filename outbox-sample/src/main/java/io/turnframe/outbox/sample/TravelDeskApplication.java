package io.turnframe.outbox.sample;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything of this package that speaks HTTP, below {@code /travel-desk/api}. */
@ApplicationPath("api")
public class TravelDeskApplication extends Application {}
