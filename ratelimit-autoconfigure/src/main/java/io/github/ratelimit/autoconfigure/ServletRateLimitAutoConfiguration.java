/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.limiter.RequestSource;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.CarriedRequests;
import io.github.ratelimit.web.KeyRemedies;
import io.github.ratelimit.web.SpecificHandlers;
import io.github.ratelimit.web.servlet.PathRulesFilter;
import io.github.ratelimit.web.servlet.RefusalConfigurer;
import io.github.ratelimit.web.servlet.ServletExchangeFilter;
import io.github.ratelimit.web.servlet.ServletHints;
import io.github.ratelimit.web.servlet.ServletRequestSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Limits in applications that serve HTTP from servlets. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnBean(LimitCatalog.class)
@Conditional(Enabled.class)
@Import(ServletRulesConfiguration.class)
@ImportRuntimeHints(ServletHints.class)
public final class ServletRateLimitAutoConfiguration {

    /** Outside everything that may answer a request, inside what prepares it. */
    private static final int FILTER_ORDER = Ordered.HIGHEST_PRECEDENCE + 20;

    @Bean
    @ConditionalOnMissingBean
    AnswerHeaders rateLimitAnswerHeaders(RateLimitProperties properties) {
        return new AnswerHeaders(properties.http().headerChoice());
    }

    @Bean
    @ConditionalOnMissingBean
    RequestSource rateLimitRequestSource() {
        return new ServletRequestSource();
    }

    @Bean
    @ConditionalOnMissingBean(name = "rateLimitExchangeFilter")
    FilterRegistrationBean<ServletExchangeFilter> rateLimitExchangeFilter(
            AnswerHeaders headers, ObjectProvider<PathRulesFilter.Refusal> refusal, RateLimitProperties properties) {
        CarriedRequests.begin();
        FilterRegistrationBean<ServletExchangeFilter> filter = new FilterRegistrationBean<>(
                new ServletExchangeFilter(headers, refusal.getIfAvailable(ServletExchangeFilter::problems)));
        filter.setOrder(FILTER_ORDER);
        filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        filter.setEnabled(properties.enabled());
        return filter;
    }

    /** Refused calls in Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DispatcherServlet.class, WebMvcConfigurer.class})
    static class Mvc {

        /** Made before other beans, so it asks for the properties late; a context below has one for its own beans. */
        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        static RefusalConfigurer rateLimitRefusalConfigurer(
                ObjectProvider<RateLimitProperties> properties, ApplicationContext context) {
            return new RefusalConfigurer(
                    new SpecificHandlers(context),
                    () -> properties.getObject().http().problemDetails(),
                    () -> properties.getObject().http().yieldToCatchAll(),
                    new KeyRemedies());
        }
    }

    /** Servlets alone, or those of another framework. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.web.servlet.DispatcherServlet")
    static class WithoutMvc {

        @Bean
        UnappliedRules rateLimitUnappliedRules(RateLimitProperties properties) {
            return new UnappliedRules(properties.enabled() ? properties.http().rules() : List.of());
        }
    }
}
