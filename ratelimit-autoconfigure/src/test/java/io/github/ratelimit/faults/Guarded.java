/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.autoconfigure.ApplicationStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransport;
import io.github.ratelimit.redis.RedisTransports;
import io.github.ratelimit.store.SteadfastStore;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiFunction;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The store as an application has it by default, over any connections, with an ear on its causes and its log. */
final class Guarded implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofMillis(250);

    final RateLimitStore store;
    final RedisRateLimitStore redis;
    final Set<String> causes = new ConcurrentSkipListSet<>();
    private final ApplicationStore application;
    private final Logger logger = (Logger) LoggerFactory.getLogger(SteadfastStore.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private Guarded(RedisConnectionFactory connections, RedisRateLimitStore redis, Map<String, String> properties) {
        this.redis = redis;
        log.start();
        logger.addAppender(log);
        application = new ApplicationStore(
                redis, RedisTransports.address(connections), properties, cause -> causes.add(cause.tag()));
        store = application.store();
    }

    /** One that is connected: on a busy machine that may take longer than a start waits for it. */
    static Guarded over(RedisConnectionFactory connections) {
        return over(connections, RedisRateLimitStore::new, Map.of());
    }

    /** One that is connected, with counters of a kind of its own and these properties. */
    static Guarded over(
            RedisConnectionFactory connections,
            BiFunction<RedisTransport, String, RedisRateLimitStore> kind,
            Map<String, String> properties) {
        RedisRateLimitStore redis = redis(connections, kind);
        Eventually.until("connected", Duration.ofSeconds(30), () -> isPrepared(redis));
        return new Guarded(connections, redis, properties);
    }

    /** One that starts, whether it can be connected or not. */
    static Guarded starting(RedisConnectionFactory connections) {
        return new Guarded(connections, redis(connections, RedisRateLimitStore::new), Map.of());
    }

    private static RedisRateLimitStore redis(
            RedisConnectionFactory connections, BiFunction<RedisTransport, String, RedisRateLimitStore> kind) {
        return kind.apply(RedisTransports.over(connections, Guarded::start, TIMEOUT), Load.PREFIX);
    }

    private static boolean isPrepared(RedisRateLimitStore redis) {
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

    /** How many outages were told of as they began, in this time. */
    long outagesBegun(Instant from, Instant to) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.WARN
                        && event.getMessage().contains("Until it is back")
                        && !event.getInstant().isBefore(from)
                        && !event.getInstant().isAfter(to))
                .count();
    }

    @Override
    public void close() {
        logger.detachAppender(log);
        application.close();
    }
}
