/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.Refusal;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.util.WebUtils;

/**
 * Says which request is being served, in every dispatch of it, and puts what was decided for it into its answer. Answers
 * what was refused in other filters and in servlets that have no resolvers of their own.
 */
public final class ServletExchangeFilter implements Filter {

    private final AnswerHeaders headers;
    private final PathRulesFilter.Refusal refusal;

    /**
     * A filter.
     *
     * @param headers what it writes
     * @param refusal answers where a call was refused
     */
    public ServletExchangeFilter(AnswerHeaders headers, PathRulesFilter.Refusal refusal) {
        this.headers = headers;
        this.refusal = refusal;
    }

    /** Answers with problems: where there is no Spring MVC, and nobody else to ask. */
    public static PathRulesFilter.Refusal problems() {
        return (request, response, reason) -> {
            Refusal refusal = Refusal.of(reason);
            if (refusal == null || response.isCommitted()) {
                throw reason;
            }
            ServletExchange.tell(request, refusal);
            Problems.write(refusal, response);
        };
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            serve(http, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void serve(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServletExchange exchange = ServletExchange.of(request);
        boolean watched = exchange != null && WebUtils.getNativeResponse(response, WatchedResponse.class) != null;
        if (exchange == null) {
            exchange = new ServletExchange(request, response, headers);
            request.setAttribute(ServletExchange.ATTRIBUTE, exchange);
        }
        ServedRequest before = PresentRequest.get();
        PresentRequest.set(exchange);
        exchange.servedBy(Thread.currentThread());
        try {
            Refusal page = exchange.refusalOfPage(request);
            if (page != null) {
                show(new GuardedPage(request, response, exchange, page), request, chain);
            } else {
                goOn(request, watched ? response : new WatchedResponse(response, exchange), chain);
            }
        } finally {
            exchange.servedBy(null);
            PresentRequest.set(before);
            if (!request.isAsyncStarted()) {
                exchange.writeHeaders();
            }
        }
        if (exchange.isBroken()) {
            throw BrokenAnswer.exception();
        }
    }

    private void show(GuardedPage page, HttpServletRequest request, FilterChain chain)
            throws IOException, ServletException {
        goOn(request, page, chain);
        page.answerIfTurnedAway();
    }

    private void goOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (RuntimeException failure) {
            if (!isOurs(failure, request)) {
                throw failure;
            }
            refusal.answer(request, response, failure);
        } catch (ServletException wrapping) {
            if (!(wrapping.getRootCause() instanceof RuntimeException failure) || !isOurs(failure, request)) {
                throw wrapping;
            }
            refusal.answer(request, response, failure);
        }
    }

    private static boolean isOurs(RuntimeException failure, HttpServletRequest request) {
        return Refusal.of(failure) != null && !request.isAsyncStarted();
    }
}
