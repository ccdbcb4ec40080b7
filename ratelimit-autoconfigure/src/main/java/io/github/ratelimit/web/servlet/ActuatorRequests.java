/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Predicate;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Whether a request below the actuator's path is none for the application: its endpoints answer it, or nobody. A handler of the
 * application may have that path as well, as one for all paths has.
 */
public final class ActuatorRequests implements Predicate<HttpServletRequest> {

    private final Handlers handlers;
    private final Predicate<Class<?>> isOfActuator;

    /**
     * Requests of an application.
     *
     * @param handlers what may handle a request
     * @param isOfActuator whether mappings of a class are those of the endpoints
     */
    public ActuatorRequests(Handlers handlers, Predicate<Class<?>> isOfActuator) {
        this.handlers = handlers;
        this.isOfActuator = isOfActuator;
    }

    /** {@inheritDoc} Where a servlet of another kind is asked, it is that of the endpoints: with Jersey they have their own. */
    @Override
    public boolean test(HttpServletRequest request) {
        Handlers.Found found = Handlers.areAsked(request) ? handlers.find(request) : null;
        return found == null
                || found.handler() instanceof ResourceHttpRequestHandler
                || isOfActuator.test(found.by().getClass());
    }
}
