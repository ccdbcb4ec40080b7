/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.RequestSource;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.web.CallerAddresses;
import io.github.ratelimit.web.servlet.ActuatorRequests;
import io.github.ratelimit.web.servlet.Handlers;
import io.github.ratelimit.web.servlet.PathRulesFilter;
import io.github.ratelimit.web.servlet.RefusedByResolvers;
import io.github.ratelimit.web.servlet.ServletCallerFilter;
import io.github.ratelimit.web.servlet.ServletCallerInterceptor;
import io.github.ratelimit.web.servlet.ServletCallers;
import io.github.ratelimit.web.servlet.StaticResources;
import io.github.ratelimit.web.servlet.Views;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.resource.ResourceUrlProvider;
import org.springframework.web.util.pattern.PathPatternParser;

/** Callers and path rules on Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherServlet.class)
class ServletRulesConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ServletCallers rateLimitCallers(RequestSource requests, RateLimitProperties properties, Environment environment) {
        HttpProperties http = properties.http();
        return new ServletCallers(
                requests,
                new CallerAddresses(http.trustedProxies(), http.ipv6Prefix()),
                HttpSurroundings.serverReadsForwarding(environment));
    }

    @Bean
    @ConditionalOnMissingBean
    HttpRules rateLimitHttpRules(
            RateLimitProperties properties,
            LimitCatalog catalog,
            ServletCallers callers,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new HttpRules(
                properties.enabled() ? properties.http().rules() : List.of(),
                catalog,
                () -> new CallExpressions(beans, callers, environment::resolveRequiredPlaceholders),
                () -> beans.getBeanProvider(AbstractHandlerMapping.class).stream()
                        .allMatch(ServletRulesConfiguration::isCaseSensitive),
                () -> HttpSurroundings.actuatorPaths(
                        environment,
                        environment.getProperty("spring.mvc.servlet.path", "/"),
                        () -> EndpointPaths.of(beans)));
    }

    /** Where patterns are Ant's it cannot be told: a rule then takes both. */
    private static boolean isCaseSensitive(AbstractHandlerMapping mapping) {
        PathPatternParser parser = mapping.getPatternParser();
        return parser != null && parser.isCaseSensitive();
    }

    @Bean
    @ConditionalOnMissingBean(name = "rateLimitCallerFilter")
    FilterRegistrationBean<ServletCallerFilter> rateLimitCallerFilter(
            ServletCallers callers, RateLimitProperties properties) {
        return registered(new ServletCallerFilter(callers), properties.http().callersOrder(), properties);
    }

    /** A bean of this type stands before the handlers of every mapping, whoever made that. */
    @Bean
    @ConditionalOnMissingBean(name = "rateLimitCallerInterceptor")
    MappedInterceptor rateLimitCallerInterceptor(ServletCallers callers) {
        return new MappedInterceptor(new String[0], new ServletCallerInterceptor(callers));
    }

    @Bean
    @ConditionalOnMissingBean
    PathRulesFilter.Refusal rateLimitFilterRefusal(
            ConfigurableListableBeanFactory beans, ObjectProvider<ViewResolver> views) {
        String resolver = DispatcherServlet.HANDLER_EXCEPTION_RESOLVER_BEAN_NAME;
        return new RefusedByResolvers(
                () -> beans.containsBean(resolver) ? beans.getBean(resolver, HandlerExceptionResolver.class) : null,
                new Views(views::orderedStream));
    }

    @Bean
    @ConditionalOnMissingBean(name = "rateLimitPathRulesFilter")
    FilterRegistrationBean<PathRulesFilter> rateLimitPathRulesFilter(
            ObjectProvider<HttpRules> rules,
            ObjectProvider<Door> door,
            ServletCallers callers,
            ObjectProvider<ResourceUrlProvider> resources,
            PathRulesFilter.Refusal refusal,
            ConfigurableListableBeanFactory beans,
            RateLimitProperties properties) {
        Handlers handlers = new Handlers(SingletonSupplier.of(() -> BeansInOrder.of(HandlerMapping.class, beans)));
        PathRulesFilter filter = new PathRulesFilter(
                SingletonSupplier.of(() -> rules.getObject().get()),
                SingletonSupplier.of(door::getObject),
                callers,
                new StaticResources(
                        path -> resources.stream().anyMatch(one -> one.getForLookupPath(path) != null), handlers),
                new ActuatorRequests(handlers, BootTypes::include),
                refusal);
        FilterRegistrationBean<PathRulesFilter> registration =
                registered(filter, properties.http().rulesOrder(), properties);
        registration.setEnabled(
                properties.enabled() && !properties.http().rules().isEmpty());
        return registration;
    }

    private static <T extends Filter> FilterRegistrationBean<T> registered(
            T filter, int order, RateLimitProperties properties) {
        FilterRegistrationBean<T> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        registration.setDispatcherTypes(DispatcherType.REQUEST);
        registration.setEnabled(properties.enabled());
        return registration;
    }
}
