/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.Refusal;
import io.github.ratelimit.web.SpecificHandlers;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Stands before Spring's adapter of controllers. It has their methods run as part of their request, and handles what
 * refused one: by the application's handler for denials, else by {@link RefusalAnswers}. A handler for every exception is
 * passed over: it would make an error of what is none.
 */
public final class LimitedHandlerAdapter implements HandlerAdapter, DispatchExceptionHandler, Ordered {

    private final SingletonSupplier<RequestMappingHandlerAdapter> controllers;
    private final SpecificHandlers specific;
    private final RefusalAnswers answers;
    private final boolean yields;

    /**
     * An adapter.
     *
     * @param controllers Spring's, asked for when the first request comes
     * @param specific the application's handlers for denials
     * @param yields whether handlers for every exception have denials too
     */
    public LimitedHandlerAdapter(
            SingletonSupplier<RequestMappingHandlerAdapter> controllers,
            SpecificHandlers specific,
            RefusalAnswers answers,
            boolean yields) {
        this.controllers = controllers;
        this.specific = specific;
        this.answers = answers;
        this.yields = yields;
    }

    /** Behind every adapter that states an order, before Spring's own, which state none. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod && controllers.obtain().supports(handler);
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        ReactiveExchange request = ReactiveExchange.of(exchange);
        if (request == null) {
            return controllers.obtain().handle(exchange, handler);
        }
        ServerWebExchange carried = new CarriedExchange(exchange, request);
        HandlerMethod method = (HandlerMethod) handler;
        if (yields) {
            return new CarriedMono<>(controllers.obtain().handle(carried, method), request)
                    .doOnNext(result -> watch(result, method));
        }
        UnhandledMethod unhandled = new UnhandledMethod(method, request);
        Mono<HandlerResult> handled =
                controllers.obtain().handle(carried, unhandled).contextWrite(SeenFailures.by(request));
        unhandled.called();
        return new CarriedMono<>(handled, request)
                .doOnNext(result -> watch(result, method))
                .onErrorResume(failure -> failed(exchange, method, failure));
    }

    /** What a returned publisher fails with is handled later, by the handler that comes with the result. */
    private void watch(HandlerResult result, HandlerMethod method) {
        DispatchExceptionHandler usual = result.getExceptionHandler();
        result.setExceptionHandler((exchange, failure) -> usual == null || isOurs(exchange, failure)
                ? failed(exchange, method, failure)
                : usual.handleError(exchange, failure));
    }

    /** Who yields has what is refused after the first byte, since no other handler could say so any more. */
    private boolean isOurs(ServerWebExchange exchange, Throwable failure) {
        boolean refusal = Refusal.of(failure) != null;
        if (yields) {
            return refusal && exchange.getResponse().isCommitted();
        }
        ReactiveExchange request = ReactiveExchange.of(exchange);
        return refusal || (request != null && request.refused());
    }

    private Mono<HandlerResult> failed(ServerWebExchange exchange, HandlerMethod method, Throwable failure) {
        Refusal refusal = Refusal.of(failure);
        if (refusal != null) {
            return refused(exchange, method, refusal);
        }
        ReactiveExchange request = ReactiveExchange.of(exchange);
        return request != null && request.refused()
                ? controllers.obtain().handle(exchange, new FailingMethod(failure, method))
                : Mono.error(failure);
    }

    private Mono<HandlerResult> refused(ServerWebExchange exchange, @Nullable HandlerMethod method, Refusal refusal) {
        answers.hear(exchange, refusal);
        HandlerMethod found = exchange.getResponse().isCommitted()
                ? null
                : specific.of(method, refusal.exception(), RefusalAnswers.accepted(exchange));
        return found == null
                ? answers.answer(exchange, refusal).then(Mono.empty())
                : controllers.obtain().handle(exchange, new FailingMethod(refusal.exception(), found));
    }

    /** Handles what happened outside of a controller's method: in a functional endpoint, before any handler. */
    @Override
    public Mono<HandlerResult> handleError(ServerWebExchange exchange, Throwable failure) {
        Refusal refusal = yields ? null : Refusal.of(failure);
        return refusal == null ? Mono.error(failure) : refused(exchange, null, refusal);
    }

    /** Handles what happened in a filter. */
    Mono<HandlerResult> handleInFilter(ServerWebExchange exchange, Refusal refusal) {
        return yields
                ? controllers.obtain().handleError(exchange, refusal.exception())
                : refused(exchange, null, refusal);
    }
}
