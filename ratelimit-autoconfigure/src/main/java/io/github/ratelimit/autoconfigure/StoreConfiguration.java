/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.limiter.UncountedRateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.PerInstanceStore;
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

    @Bean
    @ConditionalOnMissingBean
    RateLimitStore rateLimitStore(RateLimitProperties properties, ObjectProvider<SharedStore> shared) {
        if (!properties.enabled()) {
            return new UncountedRateLimitStore();
        }
        if (properties.store() == StoreKind.LOCAL) {
            return new LocalRateLimitStore(properties.local().maxKeys());
        }
        SharedStore redis = shared.getIfAvailable();
        if (redis == null) {
            throw new MissingStoreException(List.of());
        }
        return new PerInstanceStore(
                redis.open(), new LocalRateLimitStore(properties.local().maxKeys()));
    }
}
