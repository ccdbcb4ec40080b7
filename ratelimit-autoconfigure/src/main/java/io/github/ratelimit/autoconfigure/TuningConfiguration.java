/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.store.PerInstanceStore;
import io.github.ratelimit.tuning.AdaptiveLimits;
import io.github.ratelimit.tuning.CpuLoad;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.OwnOverrides;
import io.github.ratelimit.tuning.SharedNotes;
import io.github.ratelimit.tuning.SharedOverrides;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Numbers that change while the application runs. A context below another one with limits uses what is there. */
@Configuration(proxyBeanMethods = false)
class TuningConfiguration {

    /** Shared where the counters are; closed by {@link OverridesLifecycle}. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    OverrideKeeper rateLimitOverrides(
            LimitCatalog catalog, RateLimitStore store, ObjectProvider<SharedStore> sharedStore) {
        SharedStore shared = store instanceof PerInstanceStore ? sharedStore.getIfAvailable() : null;
        SharedNotes notes = shared == null ? null : shared.notes();
        return notes == null ? new OwnOverrides(catalog) : new SharedOverrides(catalog, notes);
    }

    @Bean
    @ConditionalOnMissingBean
    OverridesLifecycle rateLimitOverridesLifecycle(OverrideKeeper overrides, ObjectProvider<SharedStore> shared) {
        return new OverridesLifecycle(overrides, shared::getIfAvailable, OverridesLifecycle.AT_MOST);
    }

    @Bean
    @ConditionalOnMissingBean
    EnvironmentRefresh rateLimitEnvironmentRefresh(
            Environment environment,
            RateLimitProperties started,
            ObjectProvider<LimitCatalog> catalog,
            ObjectProvider<AfterChange> afterwards) {
        return new EnvironmentRefresh(
                environment, started, catalog::getObject, () -> afterwards.forEach(AfterChange::changed));
    }

    /** The load that adaptive limits follow; an application may have a better measure. */
    @Bean
    @ConditionalOnMissingBean
    CpuLoad rateLimitCpuLoad() {
        return SystemCpu.load();
    }

    @Bean
    @ConditionalOnMissingBean
    AdaptiveLifecycle rateLimitAdaptiveLifecycle(LimitCatalog catalog, CpuLoad cpu, RateLimitProperties properties) {
        return new AdaptiveLifecycle(new AdaptiveLimits(catalog, cpu), properties.enabled());
    }
}
