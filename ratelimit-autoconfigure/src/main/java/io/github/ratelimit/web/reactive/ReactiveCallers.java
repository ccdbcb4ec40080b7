/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.expression.CallerSource;
import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.web.CallerAddresses;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * The callers of requests to WebFlux. Each is known as its request came, better from the filter that meets the request after
 * authentication, and best from where WebFlux looks for its handler, after the filters of the application.
 */
public final class ReactiveCallers implements CallerSource {

    private final CallerAddresses addresses;
    private volatile boolean principalAsked;

    /** Callers whose forwarding headers are believed as these addresses say. */
    public ReactiveCallers(CallerAddresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public @Nullable Caller current() {
        return PresentRequest.get() instanceof ReactiveExchange served ? of(served.met()) : null;
    }

    @Override
    public void principalAsked() {
        principalAsked = true;
    }

    /**
     * Meets a request after authentication, or again as filters have made it since: this is its caller from now on.
     *
     * @return whether it has to be found out who is authenticated
     */
    boolean meet(ServerWebExchange exchange) {
        ReactiveExchange served = ReactiveExchange.of(exchange);
        return (served == null || served.meet(exchange)) && principalAsked;
    }

    Caller of(ServerWebExchange exchange) {
        return new ReactiveCaller(exchange, addresses);
    }
}
