/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransport;
import io.github.ratelimit.redis.RedisTransports;
import io.github.ratelimit.store.Remote;
import io.github.ratelimit.store.SteadfastStore;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiFunction;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The store as an application has it, over any connections, with an ear on its causes and its log. */
final class Guarded implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofMillis(250);

    final SteadfastStore store;
    final RedisRateLimitStore redis;
    final Set<String> causes = new ConcurrentSkipListSet<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(SteadfastStore.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    Guarded(RedisConnectionFactory connections) {
        this(connections, RedisRateLimitStore::new);
    }

    /** With a store of a kind of its own. */
    Guarded(RedisConnectionFactory connections, BiFunction<RedisTransport, String, RedisRateLimitStore> kind) {
        redis = kind.apply(RedisTransports.over(connections, Guarded::start, TIMEOUT), Load.PREFIX);
        store = new SteadfastStore(
                new Remote(redis, RedisTransports.address(connections), redis::route, redis::renew),
                new LocalRateLimitStore(10_000),
                TIMEOUT,
                1,
                cause -> causes.add(cause.tag()));
        redis.onHealing(store::clockJumped);
        log.start();
        logger.addAppender(log);
    }

    /** Connects, and waits for it: on a busy machine longer than a call may. */
    Guarded ready() {
        Eventually.until("connected", Duration.ofSeconds(30), this::isPrepared);
        return this;
    }

    private boolean isPrepared() {
        try {
            Stages.await(redis.prepare());
            return true;
        } catch (RateLimitStoreException notInTime) {
            return false;
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "connect");
        thread.setDaemon(true);
        thread.start();
    }

    long lines(Level level) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == level)
                .count();
    }

    @Override
    public void close() {
        logger.detachAppender(log);
        store.close();
        redis.close();
    }
}
