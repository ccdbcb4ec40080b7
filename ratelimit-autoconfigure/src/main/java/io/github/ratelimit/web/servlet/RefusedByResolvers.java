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
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers a request that a filter refuses as Spring MVC answers the exception of a controller. */
public final class RefusedByResolvers implements PathRulesFilter.Refusal {

    private final Supplier<@Nullable HandlerExceptionResolver> resolver;

    /** Answers by the resolvers of Spring MVC; where there are none, or none answers, with a problem. */
    public RefusedByResolvers(Supplier<@Nullable HandlerExceptionResolver> resolver) {
        this.resolver = resolver;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response, RuntimeException reason)
            throws ServletException, IOException {
        HandlerExceptionResolver mvc = resolver.get();
        ModelAndView answered = mvc == null ? null : mvc.resolveException(request, response, null, reason);
        if (answered == null) {
            write(Refusal.of(reason), response, reason);
        }
    }

    private static void write(@Nullable Refusal refusal, HttpServletResponse response, RuntimeException reason)
            throws IOException {
        if (refusal == null) {
            throw reason;
        }
        byte[] body = refusal.body().getBytes(StandardCharsets.US_ASCII);
        response.setStatus(refusal.status());
        response.setContentType(Refusal.CONTENT_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
