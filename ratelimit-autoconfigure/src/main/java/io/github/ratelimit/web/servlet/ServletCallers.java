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

/**
 * The callers of servlet requests. Each is known from the filter that meets its request after authentication, and better from
 * Spring MVC, which has the request as the filters of the application have made it.
 */
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

    /** {@inheritDoc} A request that has ended fails, or is another one by now. */
    @Override
    public @Nullable Caller current() {
        if (!(requests.current() instanceof ServletExchange exchange)) {
            return null;
        }
        try {
            HttpServletRequest request = exchange.request();
            return ServletExchange.of(request) == exchange ? of(request) : null;
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

    /**
     * Meets a request after authentication, or again as filters have made it since: this is its caller from now on. Who was
     * authenticated before stays so where the request knows of nobody.
     */
    void meet(HttpServletRequest request) {
        ServletCaller before = request.getAttribute(ATTRIBUTE) instanceof ServletCaller caller ? caller : null;
        if (before == null || !before.isOf(request)) {
            Principal principal = principalAsked ? request.getUserPrincipal() : null;
            request.setAttribute(
                    ATTRIBUTE,
                    caller(request, principal == null && before != null ? before.authenticated() : principal));
        }
    }

    private ServletCaller caller(HttpServletRequest request, @Nullable Principal principal) {
        return new ServletCaller(request, addresses, containerReads, principal);
    }
}
