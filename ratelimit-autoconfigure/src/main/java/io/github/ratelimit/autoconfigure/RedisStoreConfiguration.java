/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.OwnThreads;
import io.github.ratelimit.redis.RedisHints;
import io.github.ratelimit.redis.RedisNotes;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransports;
import io.github.ratelimit.store.ClockNews;
import io.github.ratelimit.store.StoreHealth;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.function.SingletonSupplier;

/** Counters in Redis, on the application's own connection. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ImportRuntimeHints(RedisHints.class)
class RedisStoreConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(RedisStoreConfiguration.class);

    /** What the default comes to without a name. */
    private static final String NAMELESS = "ratelimit:";

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    SharedStore rateLimitSharedStore(
            RateLimitProperties properties,
            ObjectProvider<RedisConnectionFactory> factories,
            ObjectProvider<StoreHealth> health,
            ObjectProvider<ClockNews> clockNews,
            Environment environment) {
        Supplier<RedisConnectionFactory> factory = SingletonSupplier.of(() -> theOne(factories));
        SingletonSupplier<String> prefix = SingletonSupplier.of(() -> prefix(properties, environment));
        return new SteadfastRedis(
                properties,
                () -> new RedisRateLimitStore(
                        RedisTransports.over(factory.get(), connector(), properties.storeTimeout()), prefix.obtain()),
                () -> RedisTransports.address(factory.get()),
                () -> RedisNotes.over(factory.get(), prefix.obtain()),
                () -> StoreConfiguration.inThisJvm(properties, clockNews.getObject()),
                () -> StoreHealth.all(health.orderedStream().toList()));
    }

    private static RedisConnectionFactory theOne(ObjectProvider<RedisConnectionFactory> factories) {
        try {
            RedisConnectionFactory factory = factories.getIfAvailable();
            if (factory == null) {
                throw new MissingStoreException(List.of());
            }
            return factory;
        } catch (NoUniqueBeanDefinitionException several) {
            throw new MissingStoreException(List.copyOf(Objects.requireNonNull(several.getBeanNamesFound())));
        }
    }

    /** Opening a connection may take long and happens once; it has a thread for that time. */
    private static Executor connector() {
        ThreadFactory threads = new OwnThreads("ratelimit-connect");
        return task -> threads.newThread(task).start();
    }

    private static String prefix(RateLimitProperties properties, Environment environment) {
        String stated = properties.keyPrefix();
        String application = environment.getProperty("spring.application.name", "");
        if (stated != null && !(stated.equals(NAMELESS) && application.isBlank())) {
            return stated;
        }
        if (application.isBlank()) {
            LOG.warn("The application has no name: its counters begin with 'ratelimit:' and are shared with every other"
                    + " nameless application on this Redis. Set spring.application.name or ratelimit.key-prefix.");
            return NAMELESS;
        }
        String prefix = "ratelimit:" + application + ":";
        RateLimitProperties.checkPrefix(prefix);
        return prefix;
    }
}
