/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Meets each request's caller again where WebFlux looks for its handler: filters of the application may have changed the request. Knows
 * no handler itself; it is only asked first.
 */
public final class CallerHandlerMapping implements HandlerMapping, Ordered {

    private final ReactiveCallers callers;

    /** A mapping that has these callers met. */
    public CallerHandlerMapping(ReactiveCallers callers) {
        this.callers = callers;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        return callers.meet(exchange) ? PrincipalWebFilter.lookUp(exchange).then(Mono.empty()) : Mono.empty();
    }
}
