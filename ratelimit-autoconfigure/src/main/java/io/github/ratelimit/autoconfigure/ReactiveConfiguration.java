/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.limiter.DefaultReactiveRateLimiter;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.UncountedReactiveRateLimiter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What an application with Reactor has on top. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Mono.class)
class ReactiveConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EventLoops rateLimitEventLoops() {
        return Schedulers::isInNonBlockingThread;
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveRateLimiter rateLimitReactiveRateLimiter(RateLimitProperties properties, ObjectProvider<Door> door) {
        return properties.enabled()
                ? new DefaultReactiveRateLimiter(door.getObject())
                : new UncountedReactiveRateLimiter();
    }
}
