package io.turnframe.outbox.web;

import jakarta.annotation.Priority;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.util.Set;

/**
 * Holds callers to the {@link RolesAllowed} of each method, or else of its class, but for those that are
 * {@link PermitAll}. Servers ignore that annotation on
 * resources, each unless told in its own way, and the patterns of {@code web.xml} cannot tell {@code entries/{id}} from
 * {@code entries/{id}/payload}.
 */
@Provider
public class RolesFeature implements DynamicFeature {
    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        if (resource.getResourceMethod().isAnnotationPresent(PermitAll.class)) {
            return;
        }
        RolesAllowed allowed = resource.getResourceMethod().getAnnotation(RolesAllowed.class);
        if (allowed == null) {
            allowed = resource.getResourceClass().getAnnotation(RolesAllowed.class);
        }
        // A method that names no role is closed, so that forgetting it is noticed.
        context.register(new RolesFilter(allowed == null ? Set.of() : Set.of(allowed.value())));
    }

    @Priority(Priorities.AUTHORIZATION)
    private record RolesFilter(Set<String> roles) implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            SecurityContext caller = request.getSecurityContext();
            if (roles.stream().noneMatch(caller::isUserInRole)) {
                throw new ForbiddenException();
            }
        }
    }
}
