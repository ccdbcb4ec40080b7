/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.expression.CallerSource;
import io.github.ratelimit.intercept.LimitedBeans;
import io.github.ratelimit.intercept.LimitedMethods;
import io.github.ratelimit.intercept.RateLimitAdvisor;
import io.github.ratelimit.limiter.DefaultRateLimiter;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.UncountedRateLimiter;
import io.github.ratelimit.limiter.Waiting;
import io.github.ratelimit.tuning.LimitCatalog;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Wires the library: properties, store, door, gate. Everything steps back for a bean of the application's own. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration"
        })
@EnableConfigurationProperties(RateLimitProperties.class)
@Import({
    LocalStoreConfiguration.class,
    RedisStoreConfiguration.class,
    MissingStoreConfiguration.class,
    ReactiveConfiguration.class
})
public final class RateLimitAutoConfiguration {

    /** The property that switches everything off; asked again at run time, because AOT decides conditions at build time. */
    static final String ENABLED = RateLimitProperties.PREFIX + ".enabled";

    @Bean
    static StrictProperties rateLimitStrictProperties(Environment environment) {
        return new StrictProperties(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitCatalog rateLimitCatalog(RateLimitProperties properties, ObjectProvider<PlanResolver> resolver) {
        SingletonSupplier<PlanResolver> plans =
                SingletonSupplier.of(() -> resolver.getIfAvailable(() -> (limit, key) -> null));
        return new LimitCatalog(
                properties.tuning(), (limit, key) -> plans.obtain().planOf(limit, key));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Door rateLimitDoor(
            LimitCatalog catalog,
            RateLimitStore store,
            ObjectProvider<RateLimitListener> listeners,
            RateLimitProperties properties,
            ObjectProvider<EventLoops> eventLoops,
            ConfigurableListableBeanFactory beans) {
        return new Door(
                catalog,
                store,
                listeners.orderedStream().toList(),
                new Waiting(
                        properties.waiting().leakyBucket(), properties.waiting().blockedThreads()),
                new ApplicationExecutor(beans),
                eventLoops.getIfAvailable(() -> () -> false)::isCurrentThread);
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimitRateLimiter(RateLimitProperties properties, ObjectProvider<Door> door) {
        return properties.enabled() ? new DefaultRateLimiter(door.getObject()) : new UncountedRateLimiter();
    }

    /** The gate before annotated methods. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
    @Import(ProxyCreatorRegistrar.class)
    static class Gate {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static RateLimitAdvisor rateLimitAdvisor(ObjectProvider<LimitedMethods> methods, Environment environment) {
            return new RateLimitAdvisor(
                    SingletonSupplier.of(methods::getObject)::obtain,
                    () -> isEnabled(environment),
                    environment.getProperty(RateLimitProperties.PREFIX + ".gate-order", Integer.class, 1000));
        }

        @Bean
        LimitedMethods rateLimitLimitedMethods(
                LimitCatalog catalog,
                Door door,
                ObjectProvider<CallerSource> callers,
                ConfigurableListableBeanFactory beans,
                Environment environment) {
            CallExpressions expressions = new CallExpressions(
                    beans, callers.getIfAvailable(() -> CallerSource.NONE), environment::resolveRequiredPlaceholders);
            Executor executor = new ApplicationExecutor(beans);
            return new LimitedMethods(
                    catalog, expressions, door, executor, beans, environment::resolveRequiredPlaceholders);
        }

        @Bean
        LimitedBeans rateLimitLimitedBeans(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<LimitedMethods> methods,
                LimitCatalog catalog,
                Environment environment) {
            return new LimitedBeans(beans, methods::getObject, catalog, isEnabled(environment));
        }
    }

    private static boolean isEnabled(Environment environment) {
        return environment.getProperty(ENABLED, Boolean.class, true);
    }
}
