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

/** The callers of requests to WebFlux. */
public final class ReactiveCallers implements CallerSource {

    private final CallerAddresses addresses;
    private volatile boolean principalAsked;

    /** Callers whose forwarding headers are believed as these addresses say. */
    public ReactiveCallers(CallerAddresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public @Nullable Caller current() {
        return PresentRequest.get() instanceof ReactiveExchange served ? of(served.exchange()) : null;
    }

    @Override
    public void principalAsked() {
        principalAsked = true;
    }

    /** Whether some expression asks for the principal. */
    boolean isPrincipalAsked() {
        return principalAsked;
    }

    Caller of(ServerWebExchange exchange) {
        return new ReactiveCaller(exchange, addresses);
    }
}
