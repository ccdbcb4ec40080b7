/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.PlanResolver;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The plans of tenants that {@code application.yml} does not name: a database in a real shop. */
@Component
class TenantPlans implements PlanResolver {

    @Override
    public @Nullable String planOf(String limit, String key) {
        return key.startsWith("vip-") ? "gold" : null;
    }
}
