/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.reactive.ReactiveExchangeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;

/** Limits in applications that serve HTTP with WebFlux. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFilter.class)
@ConditionalOnBooleanProperty(name = RateLimitProperties.PREFIX + ".enabled", matchIfMissing = true)
public final class ReactiveRateLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AnswerHeaders rateLimitAnswerHeaders(RateLimitProperties properties) {
        return new AnswerHeaders(properties.http().headerChoice());
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveExchangeFilter rateLimitExchangeFilter(AnswerHeaders headers) {
        return new ReactiveExchangeFilter(headers);
    }
}
