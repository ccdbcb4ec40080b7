/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The ways to Redis, where Redis or the way is not there. */
@WithRedis
class TransportTests {

    private static final Limit ORDERS =
            Kind.TOKEN_BUCKET.named("orders").permits(10).build();
    private static final Limit LOGINS =
            Kind.FIXED_WINDOW.named("logins").permits(10).build();

    @ParameterizedTest
    @EnumSource
    void aServerThatIsAwayEndsEveryStageAndThrowsNothing(Client.Kind kind) {
        RedisServer server = RedisServer.start();
        try (Client client = Client.of(server, kind);
                RedisRateLimitStore store = client.store()) {
            server.close();
            List<Charge> several = List.of(Charge.of(ORDERS, "a", 1), Charge.of(LOGINS, "b", 1));
            fails(store.acquire(several.subList(0, 1)));
            fails(store.acquire(several));
            fails(store.reserve(several));
            fails(store.peek(several));
            fails(store.refund(several));
            fails(store.reset(ORDERS, "a"));
        }
    }

    @Test
    void aConnectorThatRefusesOnceIsAskedAgain(RedisServer redis) {
        isAskedAgain(redis, () -> {
            throw new RejectedExecutionException("busy");
        });
    }

    @Test
    void aConnectorThatHasNoThreadLeftIsAskedAgain(RedisServer redis) {
        isAskedAgain(redis, () -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
    }

    private static void isAskedAgain(RedisServer redis, Runnable refusal) {
        AtomicInteger asked = new AtomicInteger();
        Executor busyAtFirst = task -> {
            if (asked.getAndIncrement() == 0) {
                refusal.run();
            }
            task.run();
        };
        LettuceConnectionFactory client = new LettuceConnectionFactory(redis.host(), redis.port());
        try (RedisRateLimitStore store = new RedisRateLimitStore(transport(client, busyAtFirst), "test")) {
            fails(acquire(store));
            assertThat(Stages.await(acquire(store)).passes()).isTrue();
        } finally {
            client.destroy();
        }
    }

    @Test
    void jedisSaysBeforeTheFirstConnectionWhetherThereIsACluster() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", 1);
        assertThat(isClustered(new JedisConnectionFactory(server))).isFalse();
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("127.0.0.1:1"));
        assertThat(isClustered(new JedisConnectionFactory(cluster))).isTrue();
    }

    private static boolean isClustered(RedisConnectionFactory connections) {
        try (RedisTransport way = RedisTransports.over(connections, Runnable::run, Duration.ofSeconds(5))) {
            return way.isClustered();
        }
    }

    /** A client may hold on to a dead node for long. */
    @Test
    void redisIsLookedForAgainWhileALookLasts(RedisServer redis) {
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        JedisConnectionFactory client =
                new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()));
        client.afterPropertiesSet();
        client.start();
        try (ConnectionTransport way =
                new ConnectionTransport(client, Duration.ofSeconds(5), false, new Lost(looks, over))) {
            long began = System.nanoTime();
            way.renew();
            Eventually.until("looked for", Duration.ofSeconds(30), () -> looks.get() == 1);
            Eventually.until("looked for again", Duration.ofSeconds(30), () -> {
                way.renew();
                return looks.get() >= 2;
            });
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(ConnectionTransport.LOOK_PAUSE_NANOS);
        } finally {
            over.countDown();
            client.destroy();
        }
    }

    /** Something does not answer, and looking for it takes long. */
    private record Lost(AtomicInteger looks, CountDownLatch over) implements Sending {

        @Override
        public List<Long> run(RedisConnection connection, Script script, int keys, byte[][] keysAndArguments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isLost() {
            return true;
        }

        @Override
        public void renew(RedisConnection connection) {
            looks.incrementAndGet();
            try {
                over.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aClosedTransportOpensNoConnection(RedisServer redis) {
        AtomicInteger opened = new AtomicInteger();
        LettuceConnectionFactory client = new LettuceConnectionFactory(redis.host(), redis.port());
        Executor counting = task -> {
            opened.incrementAndGet();
            task.run();
        };
        RedisRateLimitStore store = new RedisRateLimitStore(transport(client, counting), "test");
        try {
            acquire(store).toCompletableFuture().join();
            store.close();
            fails(acquire(store));
            assertThat(opened).hasValue(1);
        } finally {
            client.destroy();
        }
    }

    private static RedisTransport transport(LettuceConnectionFactory client, Executor connector) {
        return new LettuceTransport(new OwnLettuceClient(client), connector, Duration.ofSeconds(5));
    }

    private static CompletionStage<Decision> acquire(RateLimitStore store) {
        return store.acquire(List.of(Charge.of(ORDERS, "a", 1)));
    }

    private static void fails(CompletionStage<?> stage) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> stage.toCompletableFuture().join())
                .withCauseInstanceOf(RateLimitStoreException.class);
    }
}
