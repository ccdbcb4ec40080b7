/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.BootTypes;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Predicate;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Whether a request below the actuator's path is none for the application: its endpoints answer it, or nobody. A handler of the
 * application may have that path as well, as one for all paths has.
 */
public final class ActuatorRequests implements Predicate<HttpServletRequest> {

    private final Handlers handlers;

    /** Of an application with these handlers. */
    public ActuatorRequests(Handlers handlers) {
        this.handlers = handlers;
    }

    /** {@inheritDoc} Where a servlet of another kind is asked, it is that of the endpoints: with Jersey they have their own. */
    @Override
    public boolean test(HttpServletRequest request) {
        Handlers.Found found = Handlers.areAsked(request) ? handlers.find(request) : null;
        return found == null
                || found.handler() instanceof ResourceHttpRequestHandler
                || BootTypes.include(found.by().getClass());
    }
}
