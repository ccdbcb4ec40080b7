/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Whether a request below the actuator's path is none for the application: its endpoints answer it, or nobody. A handler of the
 * application may have that path as well, as one for all paths has.
 */
public final class ActuatorRequests implements Function<ServerWebExchange, Mono<Boolean>> {

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

    @Override
    public Mono<Boolean> apply(ServerWebExchange exchange) {
        return handlers.find(exchange)
                .map(found -> found.handler() instanceof ResourceWebHandler
                        || isOfActuator.test(found.by().getClass()))
                .defaultIfEmpty(true);
    }
}
