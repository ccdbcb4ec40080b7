/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Says which plan a key is on, where neither the annotation nor {@code ratelimit.limits.<name>.keys} does.
 *
 * <p>Asked for every counted call, and may be slow: a database, say. Then every call is, so let a cache stand before it
 * ({@code @Cacheable} on what it calls). Never called on an event loop: a reactive call goes to the application's task
 * executor for it, and a blocking one made on an event loop waits for that.
 */
@FunctionalInterface
public interface PlanResolver {

    /**
     * The name of the plan the key is on.
     *
     * @param limit the limit's name
     * @param key the key that is counted
     * @return a plan of that limit, or {@code null} for its base numbers
     */
    @Nullable
    String planOf(String limit, String key);
}
