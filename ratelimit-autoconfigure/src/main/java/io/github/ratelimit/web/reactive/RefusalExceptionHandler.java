/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.Refusal;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers requests that were refused in a filter, as those that were refused in a handler. Before Boot's error page. */
public final class RefusalExceptionHandler implements WebExceptionHandler, Ordered {

    private final LimitedHandlerAdapter handlers;
    private final Supplier<Stream<HandlerResultHandler>> results;
    private final RefusalAnswers answers;

    /**
     * A handler.
     *
     * @param handlers finds the application's handlers
     * @param results writes what those return
     */
    public RefusalExceptionHandler(
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
}
