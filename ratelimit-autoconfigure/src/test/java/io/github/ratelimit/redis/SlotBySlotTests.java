/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.WithRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call over several slots of which one stops to answer half-way: nothing that can be given back stays charged. */
@WithRedis
class SlotBySlotTests {

    private final RedisCluster cluster;
    private final List<String> keys;
    private final Client client;
    private final RedisRateLimitStore store;

    SlotBySlotTests(RedisCluster cluster) {
        this.cluster = cluster;
        this.keys = cluster.masters().stream().map(cluster::keyOf).toList();
        this.client = Client.of(cluster, Client.Kind.LETTUCE);
        this.store = client.store();
    }

    @BeforeEach
    void flush() {
        cluster.flush();
    }

    @AfterEach
    void close() {
        store.close();
        client.close();
    }

    @Test
    void aSlotThatCannotBeGivenBackKeepsNoOtherFromIt() {
        List<Charge> charges = charges(5, 5, 1);
        assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
        fails(keys.get(0), 1, broken -> broken.acquire(charges));
        assertThat(remaining(charges)).containsExactly(3L, 4L, 0L);
    }

    @Test
    void aSlotThatCannotBeAskedAfterADenialKeepsNoneFromBeingGivenBack() {
        List<Charge> charges = charges(5, 1, 5);
        assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
        fails(keys.get(2), 0, broken -> broken.acquire(charges));
        assertThat(remaining(charges)).containsExactly(4L, 0L, 4L);
    }

    @Test
    void aSlotThatFailsHasTheOthersGivenBack() {
        List<Charge> charges = charges(5, 5, 5);
        fails(keys.get(2), 0, broken -> broken.acquire(charges));
        assertThat(remaining(charges)).containsExactly(5L, 5L, 5L);
    }

    @Test
    void whatCannotBeCancelledOnOneSlotIsOnTheOthers() {
        List<Charge> charges = charges(5, 5, 5);
        Reservation reservation = Stages.await(store.reserve(charges));
        fails(keys.get(0), 0, broken -> broken.cancel(reservation));
        assertThat(remaining(charges)).containsExactly(4L, 5L, 5L);
    }

    @Test
    void whatCannotBeRefundedOnOneSlotIsOnTheOthers() {
        List<Charge> charges = charges(5, 5, 5);
        assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
        fails(keys.get(0), 0, broken -> broken.refund(charges));
        assertThat(remaining(charges)).containsExactly(4L, 5L, 5L);
    }

    private List<Charge> charges(long first, long second, long third) {
        return List.of(
                charge("first", first, keys.get(0)),
                charge("second", second, keys.get(1)),
                charge("third", third, keys.get(2)));
    }

    private static Charge charge(String name, long permits, String key) {
        return Charge.of(
                Kind.FIXED_WINDOW
                        .named(name)
                        .permits(permits)
                        .period(Duration.ofDays(31))
                        .build(),
                key,
                1);
    }

    private List<Long> remaining(List<Charge> charges) {
        return charges.stream()
                .map(one -> Stages.await(store.peek(List.of(Charge.of(one.limit(), one.key(), 0)))))
                .map(Allowed.class::cast)
                .map(Allowed::remaining)
                .toList();
    }

    private void fails(String key, int trips, Function<RateLimitStore, CompletionStage<?>> call) {
        try (RedisRateLimitStore broken =
                new RedisRateLimitStore(new Breaking(client.transport(), key, trips), RedisUnderTest.PREFIX)) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> call.apply(broken).toCompletableFuture().join())
                    .withCauseInstanceOf(RateLimitStoreException.class);
        }
    }

    /** A way on which so many trips to a key arrive, and none after them. */
    private static final class Breaking implements RedisTransport {

        private final RedisTransport way;
        private final String tag;
        private int trips;

        Breaking(RedisTransport way, String key, int trips) {
            this.way = way;
            this.tag = "{" + key + "}";
            this.trips = trips;
        }

        @Override
        public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
            boolean concerned = new String(keys[0], StandardCharsets.UTF_8).contains(tag);
            return concerned && trips-- <= 0
                    ? CompletableFuture.failedFuture(new RateLimitStoreException("broken", new RuntimeException()))
                    : way.run(script, keys, arguments);
        }

        @Override
        public CompletionStage<Void> delete(byte[] key) {
            return way.delete(key);
        }

        @Override
        public boolean isClustered() {
            return way.isClustered();
        }

        @Override
        public void close() {
            way.close();
        }

        @Override
        public boolean readsLoneIntegers() {
            return way.readsLoneIntegers();
        }
    }
}
