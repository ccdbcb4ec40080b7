/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds what will handle a request, ahead of WebFlux. */
public final class Handlers {

    private final Supplier<List<HandlerMapping>> mappings;

    /** Found by these, in the order in which WebFlux asks them. */
    public Handlers(Supplier<List<HandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    /** What was found, and who found it. */
    record Found(Object handler, HandlerMapping by) {}

    /**
     * What handles the request; nothing also where a mapping refuses it, as one that has its path for other methods. Then WebFlux
     * gets no further either.
     */
    Mono<Found> find(ServerWebExchange exchange) {
        ServerWebExchange asking = new AskingExchange(exchange);
        return Flux.fromIterable(mappings.get())
                .filter(mapping -> !(mapping instanceof CallerHandlerMapping))
                .concatMap(mapping -> mapping.getHandler(asking).map(handler -> new Found(handler, mapping)))
                .next()
                .onErrorComplete();
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
