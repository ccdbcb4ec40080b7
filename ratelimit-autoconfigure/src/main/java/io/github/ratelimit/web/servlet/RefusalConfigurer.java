/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.SpecificHandlers;
import java.util.List;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/**
 * Puts the resolver of refused calls among Spring's own: before {@code @ExceptionHandler} methods, or behind them where
 * the application's handlers for every exception are to have denials too.
 */
public final class RefusalConfigurer implements WebMvcConfigurer {

    private final SpecificHandlers specific;
    private final boolean problems;
    private final boolean yields;
    private final KeyRemedies remedies;

    /**
     * A configurer.
     *
     * @param problems whether answers are problems
     * @param yields whether handlers for every exception have denials too
     */
    public RefusalConfigurer(SpecificHandlers specific, boolean problems, boolean yields, KeyRemedies remedies) {
        this.specific = specific;
        this.problems = problems;
        this.yields = yields;
        this.remedies = remedies;
    }

    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
        HandlerExceptionResolver handlers = resolvers.stream()
                .filter(ExceptionHandlerExceptionResolver.class::isInstance)
                .findFirst()
                .orElse(null);
        RefusalResolver refusals = new RefusalResolver(specific, yields ? null : handlers, problems, remedies);
        resolvers.add(yields ? resolvers.indexOf(handlers) + 1 : 0, refusals);
        if (yields) {
            resolvers.add(0, refusals::resolveWhatHasBegun);
        }
    }
}
