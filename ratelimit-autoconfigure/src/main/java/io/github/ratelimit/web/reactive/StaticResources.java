/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.function.Function;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Whether WebFlux answers a request with a static resource: there is one at its path, and no other handler comes before it.
 * Where a page stands for every path that is not there, there is one at every path.
 */
public final class StaticResources implements Function<ServerWebExchange, Mono<Boolean>> {

    private final Function<ServerWebExchange, Mono<Boolean>> exists;
    private final Handlers handlers;

    /**
     * The resources of an application.
     *
     * @param exists whether there is one at the path of an exchange
     * @param handlers what else may handle a request
     */
    public StaticResources(Function<ServerWebExchange, Mono<Boolean>> exists, Handlers handlers) {
        this.exists = exists;
        this.handlers = handlers;
    }

    @Override
    public Mono<Boolean> apply(ServerWebExchange exchange) {
        return exists.apply(exchange).flatMap(there -> there ? isHandledAsResource(exchange) : Mono.just(false));
    }

    private Mono<Boolean> isHandledAsResource(ServerWebExchange exchange) {
        return handlers.find(exchange)
                .map(found -> found.handler() instanceof ResourceWebHandler)
                .defaultIfEmpty(false);
    }
}
