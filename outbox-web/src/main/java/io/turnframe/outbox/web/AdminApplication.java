package io.turnframe.outbox.web;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Puts the resources of this archive below {@code api}. */
@ApplicationPath("api")
public class AdminApplication extends Application {}
