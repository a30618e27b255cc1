package io.turnframe.outbox.it.harness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The configuration under which the deployments of a test class and its subclasses start, as system properties of the server. */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Configured {
    /** Each as {@code key=value}. */
    String[] value();
}
