/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.web.CallerAddresses;
import io.github.ratelimit.web.reactive.ActuatorRequests;
import io.github.ratelimit.web.reactive.CallerHandlerMapping;
import io.github.ratelimit.web.reactive.Handlers;
import io.github.ratelimit.web.reactive.PathRulesWebFilter;
import io.github.ratelimit.web.reactive.PrincipalWebFilter;
import io.github.ratelimit.web.reactive.ReactiveCallers;
import io.github.ratelimit.web.reactive.StaticResources;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.reactive.resource.ResourceUrlProvider;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Callers and path rules on WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherHandler.class)
class ReactiveRulesConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveCallers rateLimitCallers(RateLimitProperties properties) {
        HttpProperties http = properties.http();
        return new ReactiveCallers(new CallerAddresses(http.trustedProxies(), http.ipv6Prefix()));
    }

    @Bean
    @ConditionalOnMissingBean
    HttpRules rateLimitHttpRules(
            RateLimitProperties properties,
            LimitCatalog catalog,
            ReactiveCallers callers,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new HttpRules(
                properties.enabled() ? properties.http().rules() : List.of(),
                catalog,
                () -> new CallExpressions(beans, callers, environment::resolveRequiredPlaceholders),
                () -> beans.getBeanProvider(AbstractHandlerMapping.class).stream()
                        .allMatch(mapping -> mapping.getPathPatternParser().isCaseSensitive()),
                () -> HttpSurroundings.actuatorPaths(environment, "", () -> EndpointPaths.of(beans)));
    }

    @Bean
    @ConditionalOnMissingBean
    PrincipalWebFilter rateLimitPrincipalFilter(ReactiveCallers callers, RateLimitProperties properties) {
        return new PrincipalWebFilter(callers, properties.http().callersOrder());
    }

    @Bean
    @ConditionalOnMissingBean
    CallerHandlerMapping rateLimitCallerMapping(ReactiveCallers callers) {
        return new CallerHandlerMapping(callers);
    }

    @Bean
    @ConditionalOnMissingBean
    PathRulesWebFilter rateLimitPathRulesFilter(
            ObjectProvider<HttpRules> rules,
            ObjectProvider<Door> door,
            ReactiveCallers callers,
            ObjectProvider<ResourceUrlProvider> resources,
            ConfigurableListableBeanFactory beans,
            RateLimitProperties properties) {
        Handlers handlers = new Handlers(SingletonSupplier.of(() -> BeansInOrder.of(HandlerMapping.class, beans)));
        return new PathRulesWebFilter(
                SingletonSupplier.of(() -> rules.getObject().get()),
                SingletonSupplier.of(door::getObject),
                callers,
                new StaticResources(exchange -> exists(exchange, resources), handlers),
                new ActuatorRequests(handlers, BootTypes::include),
                properties.http().rulesOrder());
    }

    private static Mono<Boolean> exists(ServerWebExchange exchange, ObjectProvider<ResourceUrlProvider> resources) {
        String path = exchange.getRequest().getPath().pathWithinApplication().value();
        return Flux.fromStream(resources::stream)
                .flatMap(one -> one.getForUriString(path, exchange))
                .hasElements();
    }
}
