/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.web.CallerAddresses;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who sent a servlet request. Nothing is worked out before it is asked for. */
final class ServletCaller implements Caller {

    private final HttpServletRequest request;
    private final CallerAddresses addresses;
    private final boolean containerReads;
    private final @Nullable Principal authenticated;

    /**
     * @param request the request, as the application sees it
     * @param addresses says whose headers are believed
     * @param containerReads whether the container may have read the forwarding headers
     * @param authenticated who is authenticated, where that has been looked up already
     */
    ServletCaller(
            HttpServletRequest request,
            CallerAddresses addresses,
            boolean containerReads,
            @Nullable Principal authenticated) {
        this.request = request;
        this.addresses = addresses;
        this.containerReads = containerReads;
        this.authenticated = authenticated;
    }

    /** Whether it is the sender of this very object. */
    boolean isOf(HttpServletRequest other) {
        return request == other;
    }

    /** Who is authenticated, where that has been looked up already. */
    @Nullable
    Principal authenticated() {
        return authenticated;
    }

    /** From the request as the container made it: what a filter has made of the headers is not believed a second time. */
    @Override
    public @Nullable String address() {
        ServletExchange exchange = ServletExchange.of(request);
        ReceivedRequest received = exchange == null ? ReceivedRequest.of(request) : exchange.received();
        HttpServletRequest own = received.request();
        return received.isReadByContainer(containerReads)
                ? addresses.asReadByContainer(own.getRemoteAddr())
                : addresses.of(own.getRemoteAddr(), name -> Collections.list(own.getHeaders(name)));
    }

    @Override
    public @Nullable String principal() {
        Principal principal = authenticated != null ? authenticated : request.getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public String path() {
        return ServletPaths.of(request).text();
    }

    @Override
    public String method() {
        return request.getMethod().toUpperCase(Locale.ROOT);
    }
}
