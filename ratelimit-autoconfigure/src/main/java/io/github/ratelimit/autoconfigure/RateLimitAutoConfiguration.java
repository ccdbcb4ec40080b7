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
import io.github.ratelimit.intercept.BeansReplacedEarly;
import io.github.ratelimit.intercept.BeginningAdvisor;
import io.github.ratelimit.intercept.LimitedBeans;
import io.github.ratelimit.intercept.LimitedMethods;
import io.github.ratelimit.intercept.RateLimitAdvisor;
import io.github.ratelimit.intercept.ReadyMadeProxies;
import io.github.ratelimit.limiter.DefaultRateLimiter;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.RequestSource;
import io.github.ratelimit.limiter.UncountedRateLimiter;
import io.github.ratelimit.limiter.Waiting;
import io.github.ratelimit.store.StoreTimes;
import io.github.ratelimit.store.TimedStore;
import io.github.ratelimit.tuning.LimitCatalog;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Wires the library: properties, store, door, gate. Everything steps back for a bean of the application's own, but the checks
 * at start. Who excludes this excludes what the others add to it for the web, meters and the actuator: they look for its limits.
 */
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
    RedisStoreConfiguration.class,
    StoreConfiguration.class,
    ReactiveConfiguration.class,
    EventsConfiguration.class,
    TuningConfiguration.class
})
public final class RateLimitAutoConfiguration {

    @Bean
    static StrictProperties rateLimitStrictProperties(Environment environment) {
        return new StrictProperties(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitCatalog rateLimitCatalog(RateLimitProperties properties, ApplicationPlans plans) {
        return new LimitCatalog(properties.tuning(), plans::resolver);
    }

    @Bean
    ApplicationPlans rateLimitApplicationPlans(RateLimitProperties properties, ObjectProvider<PlanResolver> resolvers) {
        return new ApplicationPlans(resolvers, properties.enabled());
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Door rateLimitDoor(
            LimitCatalog catalog,
            RateLimitStore store,
            ObjectProvider<RateLimitListener> listeners,
            ObjectProvider<StoreTimes> times,
            RateLimitProperties properties,
            ObjectProvider<EventLoops> eventLoops,
            ObjectProvider<RequestSource> requests,
            ConfigurableListableBeanFactory beans) {
        return new Door(
                catalog,
                timed(store, times.getIfAvailable()),
                listeners.orderedStream().toList(),
                new Waiting(
                        properties.waiting().leakyBucket(), properties.waiting().blockedThreads()),
                new ApplicationExecutor(beans),
                eventLoops.getIfAvailable(() -> () -> false)::isCurrentThread,
                requests.getIfAvailable(() -> PresentRequest::get));
    }

    private static RateLimitStore timed(RateLimitStore store, @Nullable StoreTimes times) {
        return times == null ? store : new TimedStore(store, StoreName.of(store), times);
    }

    /** Only where the door is: a context below must not close it. */
    @Bean
    @ConditionalOnMissingBean
    DoorLifecycle rateLimitDoorLifecycle(Door door) {
        return new DoorLifecycle(door);
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimiter rateLimitRateLimiter(RateLimitProperties properties, ObjectProvider<Door> door) {
        return properties.enabled() ? new DefaultRateLimiter(door.getObject()) : new UncountedRateLimiter();
    }

    /** Whatever the conditions were when the application was built. */
    @Bean
    GatePresence rateLimitGatePresence(RateLimitProperties properties, ObjectProvider<RateLimitAdvisor> gate) {
        return new GatePresence(properties.enabled(), gate);
    }

    /**
     * The gate before annotated methods. Asks again at run time whether it is on: AOT decides conditions when building. Each
     * context of a hierarchy has its own, since the gate of a parent stands before no bean of its children.
     */
    @Configuration(proxyBeanMethods = false)
    @Conditional(Enabled.class)
    @Import(ProxyCreatorRegistrar.class)
    static class Gate {

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static RateLimitAdvisor rateLimitAdvisor(ObjectProvider<LimitedMethods> methods, Environment environment) {
            return new RateLimitAdvisor(
                    SingletonSupplier.of(methods::getObject)::obtain, Enabled.in(environment), gateOrder(environment));
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static BeginningAdvisor rateLimitBeginningAdvisor(RateLimitAdvisor gate) {
            return new BeginningAdvisor(gate);
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        static ReadyMadeProxies rateLimitReadyMadeProxies(ObjectProvider<RateLimitAdvisor> gate) {
            return new ReadyMadeProxies(SingletonSupplier.of(gate::getObject)::obtain);
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        static BeansReplacedEarly rateLimitBeansReplacedEarly(
                ConfigurableListableBeanFactory beans, ObjectProvider<RateLimitAdvisor> gate) {
            return new BeansReplacedEarly(beans, SingletonSupplier.of(gate::getObject)::obtain);
        }

        @Bean
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
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
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        LimitedBeans rateLimitLimitedBeans(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<LimitedMethods> methods,
                LimitCatalog catalog,
                RateLimitAdvisor advisor,
                RateLimitProperties properties,
                ObjectProvider<AfterChange> afterwards) {
            return new LimitedBeans(
                    beans,
                    methods::getObject,
                    catalog,
                    properties.enabled() ? advisor : null,
                    () -> afterwards.forEach(AfterChange::changed));
        }

        @Bean
        MisspeltLimits rateLimitMisspeltLimits(LimitCatalog catalog, RateLimitProperties properties) {
            return new MisspeltLimits(catalog, properties.enabled());
        }

        /** Read by itself: the advisor is made before beans may bind properties. */
        private static int gateOrder(Environment environment) {
            return Binder.get(environment)
                    .bind(RateLimitProperties.PREFIX + ".gate-order", Integer.class)
                    .orElse(1000);
        }
    }
}
