/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.Refusal;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers a request that a filter refuses as Spring MVC answers the exception of a controller. */
public final class RefusedByResolvers implements PathRulesFilter.Refusal {

    private final Supplier<@Nullable HandlerExceptionResolver> resolver;
    private final Views views;

    /**
     * Answers by the resolvers of Spring MVC; where there are none, or none answers, with a problem.
     *
     * @param views renders what a resolver only names
     */
    public RefusedByResolvers(Supplier<@Nullable HandlerExceptionResolver> resolver, Views views) {
        this.resolver = resolver;
        this.views = views;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response, RuntimeException reason)
            throws ServletException, IOException {
        HandlerExceptionResolver mvc = resolver.get();
        ModelAndView answered = mvc == null ? null : mvc.resolveException(request, response, null, reason);
        if (answered != null) {
            views.render(answered, request, response);
            return;
        }
        Refusal refusal = Refusal.of(reason);
        if (refusal == null) {
            throw reason;
        }
        ServletExchange.tell(request, refusal);
        Problems.write(refusal, response);
    }
}
