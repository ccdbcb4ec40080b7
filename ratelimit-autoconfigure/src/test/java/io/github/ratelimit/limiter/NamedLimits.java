/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.UnknownLimitException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The limits of a test. */
final class NamedLimits implements Limits {

    private final Map<String, Limit> limits = new ConcurrentHashMap<>();

    void add(Limit limit) {
        limits.put(limit.name(), limit);
    }

    @Override
    public Limit numbersFor(String name, @Nullable String plan, String key) {
        Limit limit = limits.get(name);
        if (limit == null) {
            throw new UnknownLimitException(name, limits.keySet());
        }
        return plan == null ? limit : limit.with().plan(plan).build();
    }

    @Override
    public Collection<Limit> shapesOf(String name) {
        return List.of(numbersFor(name, null, ""));
    }

    @Override
    public boolean isDefined(String name) {
        return limits.containsKey(name);
    }

    @Override
    public Collection<String> names() {
        return limits.keySet();
    }
}
