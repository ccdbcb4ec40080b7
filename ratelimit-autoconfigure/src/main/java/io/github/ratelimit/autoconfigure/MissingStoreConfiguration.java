/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Nothing to count with: Redis is wanted and Spring Data Redis is not there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
class MissingStoreConfiguration {

    @Bean
    @ConditionalOnMissingBean(RateLimitStore.class)
    RateLimitStore rateLimitStore() {
        throw new MissingStoreException(0);
    }
}
