/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.expression.CallerSource;
import io.github.ratelimit.limiter.RequestSource;
import io.github.ratelimit.web.CallerAddresses;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The callers of servlet requests: each is known from the filter that meets its request after authentication. */
public final class ServletCallers implements CallerSource {

    private static final String ATTRIBUTE = ServletCaller.class.getName();

    private final RequestSource requests;
    private final CallerAddresses addresses;
    private final boolean containerReads;
    private volatile boolean principalAsked;

    /**
     * @param requests finds the request that is being served
     * @param addresses says whose headers are believed
     * @param containerReads whether the container may have read the forwarding headers
     */
    public ServletCallers(RequestSource requests, CallerAddresses addresses, boolean containerReads) {
        this.requests = requests;
        this.addresses = addresses;
        this.containerReads = containerReads;
    }

    @Override
    public @Nullable Caller current() {
        if (!(requests.current() instanceof ServletExchange exchange)) {
            return null;
        }
        try {
            return of(exchange.request());
        } catch (IllegalStateException requestHasEnded) {
            return null;
        }
    }

    /** Who sent a request: as it was met, if it was. */
    Caller of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller ? caller : caller(request, null);
    }

    /** The principal is looked up while the thread is sure to know it. */
    @Override
    public void principalAsked() {
        principalAsked = true;
    }

    /** Meets a request after authentication: this is its caller from now on. */
    void meet(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, caller(request, principalAsked ? request.getUserPrincipal() : null));
    }

    private ServletCaller caller(HttpServletRequest request, @Nullable Principal principal) {
        return new ServletCaller(request, addresses, containerReads, principal);
    }
}
