/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.web.PathRule;
import io.github.ratelimit.web.PathRules;
import io.github.ratelimit.web.RequestPaths;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Applies the path rules to a request before anything has read its body. Waits without blocking. A request that does not
 * go on is an error signal, which the exception handlers of WebFlux answer.
 */
public final class PathRulesWebFilter implements WebFilter, Ordered, ApplicationContextAware {

    private static final Executor PARALLEL = task -> Schedulers.parallel().schedule(task);

    private final Supplier<PathRules> rules;
    private final Supplier<Door> door;
    private final ReactiveCallers callers;
    private final Function<ServerWebExchange, Mono<Boolean>> isStatic;
    private final Function<ServerWebExchange, Mono<Boolean>> isForActuator;
    private final int order;
    private @Nullable ApplicationContext application;

    /**
     * A filter.
     *
     * @param rules the rules, complete when the first request comes
     * @param door decides
     * @param callers tells the caller of a request
     * @param isStatic whether a request is answered with a static resource
     * @param isForActuator whether a request below the actuator's path is none for the application
     * @param order the order: after authentication
     */
    public PathRulesWebFilter(
            Supplier<PathRules> rules,
            Supplier<Door> door,
            ReactiveCallers callers,
            Function<ServerWebExchange, Mono<Boolean>> isStatic,
            Function<ServerWebExchange, Mono<Boolean>> isForActuator,
            int order) {
        this.rules = rules;
        this.door = door;
        this.callers = callers;
        this.isStatic = isStatic;
        this.isForActuator = isForActuator;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        this.application = application;
    }

    /** A management server of its own borrows all filters of the application. */
    private boolean isForApplication(ServerWebExchange exchange) {
        ApplicationContext serving = exchange.getApplicationContext();
        return serving == null || serving == application;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (rules.get().isEmpty() || !isForApplication(exchange)) {
            return chain.filter(exchange);
        }
        ServerHttpRequest request = exchange.getRequest();
        String method = request.getMethod().name();
        RequestPaths paths = RequestPaths.of(request.getPath().pathWithinApplication());
        List<PathRule> matching = rules.get().matching(paths, method, CorsUtils.isPreFlightRequest(request));
        if (rules.get().dependOnActuator(matching, paths)) {
            return apply(isForActuator, matching, paths, exchange, chain);
        }
        if (PathRules.dependOnStatic(matching, paths, method)) {
            return apply(isStatic, matching, paths, exchange, chain);
        }
        return apply(matching, paths, exchange, chain);
    }

    private Mono<Void> apply(
            Function<ServerWebExchange, Mono<Boolean>> isLeftOutByWideOnes,
            List<PathRule> matching,
            RequestPaths paths,
            ServerWebExchange exchange,
            WebFilterChain chain) {
        return isLeftOutByWideOnes
                .apply(exchange)
                .flatMap(leftOut -> apply(leftOut ? PathRules.notWide(matching) : matching, paths, exchange, chain));
    }

    private Mono<Void> apply(
            List<PathRule> matching, RequestPaths paths, ServerWebExchange exchange, WebFilterChain chain) {
        if (matching.isEmpty()) {
            return chain.filter(exchange);
        }
        try {
            List<Ask> asks = PathRules.asks(matching, paths, callers.of(exchange));
            return asks.isEmpty()
                    ? chain.filter(exchange)
                    : decided(asks).flatMap(decision -> goOn(decision, exchange, chain));
        } catch (InvalidRateLimitKeyException noKey) {
            return Mono.error(noKey);
        }
    }

    private Mono<Decision> decided(List<Ask> asks) {
        return Mono.fromFuture(() -> door.get().acquire(asks, null, PARALLEL));
    }

    private Mono<Void> goOn(Decision decision, ServerWebExchange exchange, WebFilterChain chain) {
        return decision instanceof Denied denied
                ? Mono.error(new RateLimitExceededException(denied))
                : chain.filter(exchange);
    }
}
