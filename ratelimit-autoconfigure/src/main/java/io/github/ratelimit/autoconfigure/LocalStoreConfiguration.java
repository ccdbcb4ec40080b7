/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counters in this JVM alone: {@code ratelimit.store: local}. */
@Configuration(proxyBeanMethods = false)
class LocalStoreConfiguration {

    @Bean
    @ConditionalOnMissingBean(RateLimitStore.class)
    @ConditionalOnProperty(name = RateLimitProperties.PREFIX + ".store", havingValue = "local")
    LocalRateLimitStore rateLimitStore(RateLimitProperties properties) {
        return new LocalRateLimitStore(properties.local().maxKeys());
    }
}
