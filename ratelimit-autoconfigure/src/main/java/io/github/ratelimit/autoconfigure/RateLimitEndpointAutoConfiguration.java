/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.actuate.HeededArguments;
import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.intercept.LimitedMethods;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.OverrideKeeper;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint, where it is exposed. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
@ConditionalOnBean(LimitCatalog.class)
public final class RateLimitEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RateLimitsEndpoint rateLimitEndpoint(
            RateLimitProperties properties,
            LimitCatalog catalog,
            RateLimitStore store,
            OverrideKeeper overrides,
            ObjectProvider<LimitedMethods> methods) {
        return new RateLimitsEndpoint(properties.enabled(), catalog, store, StoreName.of(store), overrides, () -> {
            LimitedMethods known = methods.getIfAvailable();
            return known == null ? new TreeMap<>() : known.limitNames();
        });
    }

    /** Stands before the operations of the endpoint. */
    @Bean
    @ConditionalOnMissingBean
    static HeededArguments rateLimitHeededArguments() {
        return new HeededArguments();
    }
}
