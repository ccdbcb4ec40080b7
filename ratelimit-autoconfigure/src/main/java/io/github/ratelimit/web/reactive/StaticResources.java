/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether WebFlux answers a request with a static resource: there is one at its path, and no other handler comes before it.
 * Where a page stands for every path that is not there, there is one at every path.
 */
public final class StaticResources implements Function<ServerWebExchange, Mono<Boolean>> {

    private final Function<ServerWebExchange, Mono<Boolean>> exists;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * The resources of an application.
     *
     * @param exists whether there is one at the path of an exchange
     * @param mappings who finds the handler of a request, in the order in which WebFlux asks
     */
    public StaticResources(Function<ServerWebExchange, Mono<Boolean>> exists, Supplier<List<HandlerMapping>> mappings) {
        this.exists = exists;
        this.mappings = mappings;
    }

    @Override
    public Mono<Boolean> apply(ServerWebExchange exchange) {
        return exists.apply(exchange).flatMap(there -> there ? isHandledAsResource(exchange) : Mono.just(false));
    }

    /** A mapping that refuses, as one that has the path for other methods, leads no further in WebFlux either. */
    private Mono<Boolean> isHandledAsResource(ServerWebExchange exchange) {
        ServerWebExchange asking = new AskingExchange(exchange);
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandler(asking))
                .next()
                .map(ResourceWebHandler.class::isInstance)
                .onErrorReturn(false)
                .defaultIfEmpty(false);
    }

    /** An exchange of which something is asked ahead of time: what is noted on it meanwhile, the exchange itself never sees. */
    private static final class AskingExchange extends ServerWebExchangeDecorator {

        private final Map<String, Object> attributes;

        AskingExchange(ServerWebExchange exchange) {
            super(exchange);
            this.attributes = new ConcurrentHashMap<>(exchange.getAttributes());
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }
    }
}
