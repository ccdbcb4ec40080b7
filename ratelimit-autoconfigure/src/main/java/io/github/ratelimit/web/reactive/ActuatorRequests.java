/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.BootTypes;
import java.util.function.Function;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Whether a request below the actuator's path is none for the application: its endpoints answer it, or nobody. A handler of the
 * application may have that path as well, as one for all paths has.
 */
public final class ActuatorRequests implements Function<ServerWebExchange, Mono<Boolean>> {

    private final Handlers handlers;

    /** Of an application with these handlers. */
    public ActuatorRequests(Handlers handlers) {
        this.handlers = handlers;
    }

    @Override
    public Mono<Boolean> apply(ServerWebExchange exchange) {
        return handlers.find(exchange)
                .map(found -> found.handler() instanceof ResourceWebHandler
                        || BootTypes.include(found.by().getClass()))
                .defaultIfEmpty(true);
    }
}
