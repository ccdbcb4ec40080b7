/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.SpecificHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/**
 * Puts the resolver of refused calls among Spring's own: before {@code @ExceptionHandler} methods, or behind them where
 * the application's handlers for every exception are to have denials too.
 *
 * <p>Spring MVC asks configurers, those of the contexts above a dispatcher servlet's own among them. A configuration that
 * extends {@code WebMvcConfigurationSupport} asks nobody: its resolvers are met as a bean.
 */
public final class RefusalConfigurer implements WebMvcConfigurer, BeanPostProcessor {

    private final SpecificHandlers specific;
    private final BooleanSupplier problems;
    private final BooleanSupplier yields;
    private final KeyRemedies remedies;

    /**
     * A configurer. What it is given is asked when Spring MVC is made.
     *
     * @param problems whether answers are problems
     * @param yields whether handlers for every exception have denials too
     */
    public RefusalConfigurer(
            SpecificHandlers specific, BooleanSupplier problems, BooleanSupplier yields, KeyRemedies remedies) {
        this.specific = specific;
        this.problems = problems;
        this.yields = yields;
        this.remedies = remedies;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HandlerExceptionResolverComposite composite
                && name.equals(DispatcherServlet.HANDLER_EXCEPTION_RESOLVER_BEAN_NAME)) {
            List<HandlerExceptionResolver> resolvers = new ArrayList<>(composite.getExceptionResolvers());
            extendHandlerExceptionResolvers(resolvers);
            composite.setExceptionResolvers(resolvers);
        }
        return bean;
    }

    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
        if (resolvers.stream().noneMatch(RefusalResolver.class::isInstance)) {
            insert(resolvers, yields.getAsBoolean());
        }
    }

    private void insert(List<HandlerExceptionResolver> resolvers, boolean yielding) {
        HandlerExceptionResolver handlers = resolvers.stream()
                .filter(ExceptionHandlerExceptionResolver.class::isInstance)
                .findFirst()
                .orElse(null);
        RefusalResolver refusals =
                new RefusalResolver(specific, yielding ? null : handlers, problems.getAsBoolean(), remedies);
        resolvers.add(yielding ? resolvers.indexOf(handlers) + 1 : 0, refusals);
        if (yielding) {
            resolvers.add(0, refusals::resolveWhatHasBegun);
        }
    }
}
