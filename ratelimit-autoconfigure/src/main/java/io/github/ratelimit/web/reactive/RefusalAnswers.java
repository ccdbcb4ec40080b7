/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.Preference;
import io.github.ratelimit.web.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers refused requests: by a problem, or by the application's error page. */
public final class RefusalAnswers {

    private final Supplier<Stream<WebExceptionHandler>> errorPages;
    private final boolean problems;
    private final KeyRemedies remedies;

    /**
     * Answers.
     *
     * @param errorPages what else handles failures of requests, in order
     * @param problems whether answers are problems; otherwise the application's error handling writes them
     */
    public RefusalAnswers(Supplier<Stream<WebExceptionHandler>> errorPages, boolean problems, KeyRemedies remedies) {
        this.errorPages = errorPages;
        this.problems = problems;
        this.remedies = remedies;
    }

    /** Tells the log, once, what has to be cured, and the request's headers what was decided. */
    void hear(ServerWebExchange exchange, Refusal refusal) {
        remedies.tell(refusal);
        ReactiveExchange request = ReactiveExchange.of(exchange);
        if (request != null) {
            request.hear(refusal);
        }
    }

    /** Answers a request; an answer that has begun is broken off, so that it does not pass for a whole one. */
    Mono<Void> answer(ServerWebExchange exchange, Refusal refusal) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return BrokenAnswer.end(response, refusal.exception());
        }
        if (!problems || Preference.isPage(accepted(exchange))) {
            return errorPage(exchange, refusal);
        }
        byte[] body = refusal.body().getBytes(StandardCharsets.US_ASCII);
        response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, Refusal.CONTENT_TYPE);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    /** What the client accepts, the header's value of all its lines. */
    static String accepted(ServerWebExchange exchange) {
        return String.join(", ", HeaderLines.of(exchange.getRequest().getHeaders(), HttpHeaders.ACCEPT));
    }

    private Mono<Void> errorPage(ServerWebExchange exchange, Refusal refusal) {
        Mono<Void> answer = Mono.error(
                new ResponseStatusException(HttpStatusCode.valueOf(refusal.status()), null, refusal.exception()));
        Iterator<WebExceptionHandler> handlers = errorPages
                .get()
                .filter(handler -> !(handler instanceof RefusalExceptionHandler))
                .iterator();
        while (handlers.hasNext()) {
            WebExceptionHandler handler = handlers.next();
            answer = answer.onErrorResume(failure -> handler.handle(exchange, failure));
        }
        return answer;
    }
}
