/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.metrics.DecisionMeters;
import io.github.ratelimit.metrics.LimitMeters;
import io.github.ratelimit.metrics.StoreMeters;
import io.github.ratelimit.tuning.LimitCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters, where the application has Micrometer and a registry. */
@AutoConfiguration(
        after = RateLimitAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({LimitCatalog.class, MeterRegistry.class})
public final class RateLimitMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DecisionMeters rateLimitDecisionMeters(MeterRegistry registry) {
        return new DecisionMeters(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    StoreMeters rateLimitStoreMeters(MeterRegistry registry) {
        return new StoreMeters(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitMeters rateLimitLimitMeters(MeterRegistry registry, LimitCatalog catalog) {
        return new LimitMeters(registry, catalog);
    }

    /** Once all limits are known, what there is to count begins at zero. */
    @Bean
    @ConditionalOnMissingBean(name = "rateLimitMeters")
    SmartInitializingSingleton rateLimitMeters(
            StoreMeters store,
            ObjectProvider<SharedStore> shared,
            @Qualifier("rateLimitMetersOfLimits") AfterChange metersOfLimits) {
        return () -> {
            metersOfLimits.changed();
            shared.ifAvailable(redis -> store.show(redis::isAway));
        };
    }

    /** While limits are off no number holds, and what annotations state is not known. */
    @Bean
    @ConditionalOnMissingBean(name = "rateLimitMetersOfLimits")
    AfterChange rateLimitMetersOfLimits(
            RateLimitProperties properties, DecisionMeters decisions, LimitMeters limits, LimitCatalog catalog) {
        return () -> {
            catalog.names().forEach(decisions::prepare);
            if (properties.enabled()) {
                limits.show();
            }
        };
    }
}
