/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.Refusal;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers requests that were refused in a filter, as those that were refused in a handler. Before every exception handler of
 * the application, since each has whatever comes; or among them, before Boot's error page, where they are to have denials too.
 */
public class RefusalExceptionHandler implements WebExceptionHandler, Ordered {

    private final LimitedHandlerAdapter handlers;
    private final Supplier<Stream<HandlerResultHandler>> results;
    private final RefusalAnswers answers;

    /**
     * A handler.
     *
     * @param handlers finds the application's handlers
     * @param results writes what those return
     * @param yields whether handlers for every exception have denials too
     */
    public static RefusalExceptionHandler of(
            LimitedHandlerAdapter handlers,
            Supplier<Stream<HandlerResultHandler>> results,
            RefusalAnswers answers,
            boolean yields) {
        return yields ? new RefusalExceptionHandler(handlers, results, answers) : new First(handlers, results, answers);
    }

    private RefusalExceptionHandler(
            LimitedHandlerAdapter handlers, Supplier<Stream<HandlerResultHandler>> results, RefusalAnswers answers) {
        this.handlers = handlers;
        this.results = results;
        this.answers = answers;
    }

    @Override
    public int getOrder() {
        return -2;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        Refusal refusal = Refusal.of(failure);
        if (refusal == null) {
            return Mono.error(failure);
        }
        answers.hear(exchange, refusal);
        if (exchange.getResponse().isCommitted()) {
            return answers.answer(exchange, refusal);
        }
        return handlers.handleInFilter(exchange, refusal)
                .flatMap(result -> write(exchange, result))
                .onErrorResume(unhandled -> answers.answer(exchange, refusal));
    }

    private Mono<Void> write(ServerWebExchange exchange, HandlerResult result) {
        return results.get()
                .filter(writer -> writer.supports(result))
                .findFirst()
                .map(writer -> writer.handleResult(exchange, result))
                .orElseGet(Mono::empty);
    }

    /** Also before a handler of the highest order, which is only that of those without priority. */
    private static final class First extends RefusalExceptionHandler implements PriorityOrdered {

        First(LimitedHandlerAdapter handlers, Supplier<Stream<HandlerResultHandler>> results, RefusalAnswers answers) {
            super(handlers, results, answers);
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}
