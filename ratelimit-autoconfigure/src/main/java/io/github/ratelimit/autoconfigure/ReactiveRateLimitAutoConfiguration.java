/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.CarriedRequests;
import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.SpecificHandlers;
import io.github.ratelimit.web.reactive.CarryingExecution;
import io.github.ratelimit.web.reactive.LimitedHandlerAdapter;
import io.github.ratelimit.web.reactive.ReactiveExchangeFilter;
import io.github.ratelimit.web.reactive.ReactiveHints;
import io.github.ratelimit.web.reactive.RefusalAnswers;
import io.github.ratelimit.web.reactive.RefusalExceptionHandler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.WebExceptionHandler;

/** Limits in applications that serve HTTP with WebFlux. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(LimitCatalog.class)
@Conditional(Enabled.class)
@Import(ReactiveRulesConfiguration.class)
@ImportRuntimeHints(ReactiveHints.class)
public final class ReactiveRateLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AnswerHeaders rateLimitAnswerHeaders(RateLimitProperties properties) {
        return new AnswerHeaders(properties.http().headerChoice());
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveExchangeFilter rateLimitExchangeFilter(AnswerHeaders headers) {
        CarriedRequests.begin();
        return new ReactiveExchangeFilter(headers);
    }

    @Bean
    @ConditionalOnMissingBean
    CarryingExecution rateLimitCarryingExecution(ObjectProvider<WebFluxConfigurer> configurers) {
        return new CarryingExecution(configurers::orderedStream);
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalAnswers rateLimitRefusalAnswers(
            RateLimitProperties properties, ObjectProvider<WebExceptionHandler> errorPages) {
        return new RefusalAnswers(errorPages::orderedStream, properties.http().problemDetails(), new KeyRemedies());
    }

    @Bean
    @ConditionalOnMissingBean
    LimitedHandlerAdapter rateLimitHandlerAdapter(
            ObjectProvider<RequestMappingHandlerAdapter> controllers,
            RefusalAnswers answers,
            RateLimitProperties properties,
            ApplicationContext context) {
        return new LimitedHandlerAdapter(
                SingletonSupplier.of(controllers::getObject),
                new SpecificHandlers(context),
                answers,
                properties.http().yieldToCatchAll());
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalExceptionHandler rateLimitRefusalExceptionHandler(
            LimitedHandlerAdapter handlers,
            ObjectProvider<HandlerResultHandler> results,
            RefusalAnswers answers,
            RateLimitProperties properties) {
        return RefusalExceptionHandler.of(
                handlers, results::orderedStream, answers, properties.http().yieldToCatchAll());
    }
}
