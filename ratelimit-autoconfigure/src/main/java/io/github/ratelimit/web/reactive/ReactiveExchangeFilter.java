/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.web.AnswerHeaders;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Says which request is being served, in the reactive context, and puts what was decided for it into its answer. */
public final class ReactiveExchangeFilter implements WebFilter, Ordered {

    private final AnswerHeaders headers;

    /** A filter that writes these headers. */
    public ReactiveExchangeFilter(AnswerHeaders headers) {
        this.headers = headers;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 20;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ReactiveExchange served = new ReactiveExchange(exchange);
        exchange.getAttributes().put(ReactiveExchange.ATTRIBUTE, served);
        exchange.getResponse().beforeCommit(() -> {
            served.writeHeaders(headers);
            return Mono.empty();
        });
        return new CarriedMono<>(chain.filter(exchange), served)
                .contextWrite(context -> context.put(PresentRequest.KEY, served));
    }
}
