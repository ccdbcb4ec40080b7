/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.Preference;
import io.github.ratelimit.web.Refusal;
import io.github.ratelimit.web.SpecificHandlers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers refused calls: by the application's handler for denials, else by a problem, else by the application's error
 * page. A handler for every exception is passed over: it would make an error of what is none.
 *
 * <p>Nothing is added to an answer that has begun; it is broken off, so that it does not pass for a whole one.
 */
public final class RefusalResolver implements HandlerExceptionResolver {

    private final SpecificHandlers specific;
    private final @Nullable HandlerExceptionResolver handlers;
    private final boolean problems;
    private final KeyRemedies remedies;

    /**
     * A resolver.
     *
     * @param specific the application's handlers for denials
     * @param handlers calls {@code @ExceptionHandler} methods; null: they had their turn
     * @param problems whether answers are problems; otherwise the application's error handling writes them
     */
    public RefusalResolver(
            SpecificHandlers specific,
            @Nullable HandlerExceptionResolver handlers,
            boolean problems,
            KeyRemedies remedies) {
        this.specific = specific;
        this.handlers = handlers;
        this.problems = problems;
        this.remedies = remedies;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception exception) {
        Refusal refusal = Refusal.of(exception);
        if (refusal == null) {
            return null;
        }
        remedies.tell(refusal);
        if (response.isCommitted()) {
            ServletExchange exchange = ServletExchange.of(request);
            return exchange == null ? null : exchange.breakOff();
        }
        ServletExchange.tell(request, refusal);
        ModelAndView handled = handled(request, response, handler, refusal.exception());
        if (handled != null) {
            return handled;
        }
        try {
            answer(request, response, refusal);
            return new ModelAndView();
        } catch (IOException clientIsGone) {
            return null;
        }
    }

    /** Breaks off an answer that has begun, and leaves others alone: to be asked before whoever might add to it. */
    @Nullable
    ModelAndView resolveWhatHasBegun(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception exception) {
        return response.isCommitted() ? resolveException(request, response, handler, exception) : null;
    }

    private @Nullable ModelAndView handled(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            RuntimeException exception) {
        HandlerMethod found = handlers == null
                ? null
                : specific.of(handler instanceof HandlerMethod own ? own : null, exception, accepted(request));
        return found == null || handlers == null
                ? null
                : handlers.resolveException(request, response, found, exception);
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, Refusal refusal) throws IOException {
        boolean page = !problems || Preference.isPage(accepted(request));
        if (page && request.getDispatcherType() != DispatcherType.ERROR) {
            ServletExchange exchange = ServletExchange.of(request);
            if (exchange != null) {
                exchange.awaitPage(refusal);
            }
            response.sendError(refusal.status());
            return;
        }
        Problems.write(refusal, response);
    }

    private static String accepted(HttpServletRequest request) {
        return String.join(", ", Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
    }
}
