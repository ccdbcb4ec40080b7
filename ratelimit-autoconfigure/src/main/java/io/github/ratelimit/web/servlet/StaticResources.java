/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Predicate;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Whether Spring MVC answers a request with a static resource: there is one at its path, and neither another handler nor
 * another servlet comes before it. Where a page stands for every path that is not there, there is one at every path.
 */
public final class StaticResources implements Predicate<HttpServletRequest> {

    private final Predicate<String> exists;
    private final Handlers handlers;

    /**
     * The resources of an application.
     *
     * @param exists whether there is one at a path within the dispatcher servlet
     * @param handlers what else may handle a request
     */
    public StaticResources(Predicate<String> exists, Handlers handlers) {
        this.exists = exists;
        this.handlers = handlers;
    }

    @Override
    public boolean test(HttpServletRequest request) {
        if (!Handlers.areAsked(request) || !exists.test(ServletPaths.behindServlet(request))) {
            return false;
        }
        Handlers.Found found = handlers.find(request);
        return found != null && found.handler() instanceof ResourceHttpRequestHandler;
    }
}
