/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.store.ClockNews;
import io.github.ratelimit.store.StoreHealth;
import java.util.Map;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The store as the wiring puts it together, over counters in Redis that a test has made. */
public final class ApplicationStore implements AutoCloseable {

    private final SteadfastRedis shared;
    private final RateLimitStore store;

    /**
     * Opens it, as an application does before it is ready.
     *
     * @param redis counts, and is closed along
     * @param address where that is, for people to read
     * @param properties what the application states, by whole names
     * @param health hears of failures
     */
    public ApplicationStore(
            RedisRateLimitStore redis, String address, Map<String, String> properties, StoreHealth health) {
        RateLimitProperties stated = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class);
        ClockNews clockNews = new ClockNews(health);
        shared = new SteadfastRedis(
                stated,
                () -> redis,
                () -> address,
                () -> {
                    throw new UnsupportedOperationException("nobody overrides numbers here");
                },
                () -> StoreConfiguration.inThisJvm(stated, clockNews),
                () -> health);
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("shared", shared, "clock", clockNews));
        store = new StoreConfiguration()
                .rateLimitStore(
                        stated, beans.getBeanProvider(SharedStore.class), beans.getBeanProvider(ClockNews.class));
    }

    /** Where the application's calls go. */
    public RateLimitStore store() {
        return store;
    }

    @Override
    public void close() {
        shared.close();
    }
}
