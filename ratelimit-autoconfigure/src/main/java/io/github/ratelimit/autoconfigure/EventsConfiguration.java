/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.events.Audience;
import io.github.ratelimit.events.DenialEvents;
import io.github.ratelimit.events.DenialLog;
import io.github.ratelimit.events.OutageEvents;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tells the application of denials and outages. */
@Configuration(proxyBeanMethods = false)
class EventsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DenialLog rateLimitDenialLog() {
        return new DenialLog();
    }

    @Bean
    @ConditionalOnMissingBean
    DenialEvents rateLimitDenialEvents(ApplicationContext context) {
        return new DenialEvents(context, new Audience(context, RateLimitDeniedEvent.class));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    OutageEvents rateLimitOutageEvents(ApplicationContext context) {
        return new OutageEvents(context);
    }
}
