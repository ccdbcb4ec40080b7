/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.limiter.UncountedRateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.ClockNews;
import io.github.ratelimit.store.PerInstanceStore;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.tuning.StoreKind;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Chooses the store, at run time: conditions are decided at build time under AOT, and a switched-off application must not
 * look for Redis.
 */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

    /** One for all stores in this JVM, so that they warn once. */
    @Bean
    @ConditionalOnMissingBean
    ClockNews rateLimitClockNews(ObjectProvider<StoreHealth> health) {
        return new ClockNews(StoreHealth.all(health.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimitStore rateLimitStore(
            RateLimitProperties properties, ObjectProvider<SharedStore> shared, ObjectProvider<ClockNews> clockNews) {
        if (!properties.enabled()) {
            return new UncountedRateLimitStore();
        }
        if (properties.store() == StoreKind.LOCAL) {
            return inThisJvm(properties, clockNews.getObject());
        }
        SharedStore redis = shared.getIfAvailable();
        if (redis == null) {
            throw new MissingStoreException(List.of());
        }
        return new PerInstanceStore(redis.open(), inThisJvm(properties, clockNews.getObject()));
    }

    static LocalRateLimitStore inThisJvm(RateLimitProperties properties, ClockNews clockNews) {
        LocalRateLimitStore store = new LocalRateLimitStore(properties.local().maxKeys());
        store.onHealing(clockNews::jumped);
        return store;
    }
}
