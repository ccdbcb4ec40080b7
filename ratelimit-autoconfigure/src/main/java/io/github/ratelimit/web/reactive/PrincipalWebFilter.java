/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.security.Principal;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Finds out who is authenticated, for expressions that ask without waiting. Only where some expression does: to look may
 * mean to load a session.
 */
public final class PrincipalWebFilter implements WebFilter, Ordered {

    /** The attribute of an exchange that holds the name. */
    static final String NAME = PrincipalWebFilter.class.getName();

    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private final ReactiveCallers callers;
    private final int order;

    /**
     * @param callers meet the request here, and know whether some expression asks for the principal
     * @param order the order: after authentication
     */
    public PrincipalWebFilter(ReactiveCallers callers, int order) {
        this.callers = callers;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return callers.meet(exchange)
                ? lookUp(exchange).then(Mono.defer(() -> chain.filter(exchange)))
                : chain.filter(exchange);
    }

    /** Finds out who is authenticated; where that is nobody, who was found before stays. */
    static Mono<Void> lookUp(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .doOnNext(principal -> remember(principal, exchange))
                .then();
    }

    private static void remember(Principal principal, ServerWebExchange exchange) {
        String name = isAnonymous(principal) ? null : principal.getName();
        if (name != null) {
            exchange.getAttributes().put(NAME, name);
        }
    }

    /** By name: Spring Security need not be there. */
    private static boolean isAnonymous(Principal principal) {
        for (Class<?> type = principal.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(ANONYMOUS)) {
                return true;
            }
        }
        return false;
    }
}
