/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    @Test
    void countersOfASlotThatMovesAnswerAsInOneScript() {
        List<Charge> together = severalOf(keys.get(0));
        List<Charge> oneByOne = severalOf(keys.get(1));
        try (RedisRateLimitStore moving =
                new RedisRateLimitStore(Refusing.moving(client.transport(), keys.get(1), 0), RedisUnderTest.PREFIX)) {
            for (int i = 0; i < 6; i++) {
                assertThat(told(moving.acquire(oneByOne))).isEqualTo(told(store.acquire(together)));
            }
            assertThat(told(moving.refund(oneByOne))).isEqualTo(told(store.refund(together)));
            assertThat(told(moving.acquire(oneByOne))).isEqualTo(told(store.acquire(together)));
        }
        assertThat(remaining(oneByOne)).isEqualTo(remaining(together));
    }

    /** The second denies from the third call on, and bars its key; the third only watches, the last has enough. */
    private static List<Charge> severalOf(String key) {
        Limit watching = Kind.SLIDING_WINDOW_LOG
                .named("watching")
                .shadow(true)
                .permits(1)
                .period(Duration.ofDays(31))
                .build();
        return List.of(
                charge("first", 5, key),
                Charge.of(
                        Kind.TOKEN_BUCKET
                                .named("barring")
                                .permits(2)
                                .period(Duration.ofDays(31))
                                .penalty(Duration.ofDays(1))
                                .build(),
                        key,
                        1),
                Charge.of(watching, key, 1),
                charge("last", 9, key));
    }

    private static List<String> told(CompletionStage<Decision> decision) {
        return Stages.await(decision).parts().stream()
                .map(part -> part.limit() + " " + part.passes() + " "
                        + (part instanceof Denied denied
                                ? denied.reason() + " " + denied.remaining()
                                : ((Allowed) part).remaining()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "TOKEN_BUCKET"})
    void whatWasChargedTogetherIsGivenBackOneByOne(Kind kind) {
        Duration month = Duration.ofDays(31);
        List<Charge> charges = List.of(
                Charge.of(kind.named("first").permits(5).period(month).build(), keys.get(0), 1),
                Charge.of(kind.named("second").permits(6).period(month).build(), keys.get(0), 1),
                charge("third", 1, keys.get(1)));
        assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
        try (RedisRateLimitStore moving =
                new RedisRateLimitStore(Refusing.moving(client.transport(), keys.get(0), 1), RedisUnderTest.PREFIX)) {
            assertThat(told(moving.acquire(charges)))
                    .containsExactly("first true 4", "second true 5", "third false PERMITS_SPENT 0");
        }
        assertThat(remaining(charges)).containsExactly(4L, 5L, 0L);
    }

    @Test
    void aDepartureThatIsGivenBackMeetsNoOther() {
        Limit paced = Kind.LEAKY_BUCKET
                .named("paced")
                .permits(10)
                .period(Duration.ofHours(1))
                .build();
        Charge next = Charge.of(paced, keys.get(0), 1).waiting(Charge.LONGEST_WAIT_MICROS);
        List<Charge> none = List.of(Charge.of(next.limit(), next.key(), 1), charge("second", 1, keys.get(1)));
        assertThat(Stages.await(store.acquire(none.subList(1, 2))).passes()).isTrue();
        Set<Long> departures = new TreeSet<>();
        try (RedisRateLimitStore meanwhile = meanwhile(new Scripts(), () -> departures.add(due(store, next)))) {
            assertThat(Stages.await(meanwhile.acquire(none)).passes()).isFalse();
        }
        departures.add(due(store, next));
        assertThat(departures).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = ".*WINDOW.*", mode = EnumSource.Mode.MATCH_ANY)
    void aWindowThatBeganSinceIsGivenNothing(Kind kind) {
        Charge window = Charge.of(
                kind.named("window").permits(2).period(Duration.ofSeconds(1)).build(), keys.get(0), 1);
        List<Charge> charges = List.of(window, charge("second", 1, keys.get(1)));
        try (VirtualTime time = new VirtualTime(cluster);
                RedisRateLimitStore plain =
                        new RedisRateLimitStore(client.transport(), RedisUnderTest.PREFIX, scripts(time));
                RedisRateLimitStore meanwhile = meanwhile(scripts(time), () -> {
                    time.set(2_000_000);
                    assertThat(Stages.await(plain.acquire(List.of(Charge.of(window.limit(), window.key(), 2))))
                                    .passes())
                            .isTrue();
                })) {
            assertThat(Stages.await(plain.acquire(charges.subList(1, 2))).passes())
                    .isTrue();
            assertThat(Stages.await(meanwhile.acquire(charges)).passes()).isFalse();
            assertThat(Stages.await(plain.acquire(List.of(window))).passes()).isFalse();
        }
    }

    private static Scripts scripts(VirtualTime time) {
        return new Scripts(time.inScripts());
    }

    private static long due(RateLimitStore store, Charge charge) {
        return Stages.await(store.reserve(List.of(charge))).holds().get(0).dueMicros();
    }

    /** A store with which something happens before it asks for the second key. */
    private RedisRateLimitStore meanwhile(Scripts scripts, Runnable happens) {
        return new RedisRateLimitStore(
                new Hooked(client.transport(), keys.get(1), happens), RedisUnderTest.PREFIX, scripts);
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
                new RedisRateLimitStore(Refusing.broken(client.transport(), key, trips), RedisUnderTest.PREFIX)) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> call.apply(broken).toCompletableFuture().join())
                    .withCauseInstanceOf(RateLimitStoreException.class);
        }
    }

    /** A way on which so many trips to a key, or to so many counters of it, arrive, and those after them are refused. */
    private static final class Refusing extends Watched {

        private final int counters;
        private final String says;
        private int trips;

        private Refusing(RedisTransport way, String key, int trips, int counters, String says) {
            super(way, key);
            this.trips = trips;
            this.counters = counters;
            this.says = says;
        }

        static Refusing broken(RedisTransport way, String key, int trips) {
            return new Refusing(way, key, trips, 1, "broken");
        }

        /** As while a slot moves, whose counters are here and there: none may be asked beside another. */
        static Refusing moving(RedisTransport way, String key, int trips) {
            return new Refusing(way, key, trips, 2, "TRYAGAIN Multiple keys request during rehashing of slot");
        }

        @Override
        CompletionStage<List<Long>> runWatched(int keys, Supplier<CompletionStage<List<Long>>> running) {
            return keys >= counters && trips-- <= 0
                    ? CompletableFuture.failedFuture(new RateLimitStoreException("refused", new RuntimeException(says)))
                    : running.get();
        }
    }

    /** A way on which something happens before each trip to a key. */
    private static final class Hooked extends Watched {

        private final Runnable happens;

        Hooked(RedisTransport way, String key, Runnable happens) {
            super(way, key);
            this.happens = happens;
        }

        @Override
        CompletionStage<List<Long>> runWatched(int keys, Supplier<CompletionStage<List<Long>>> running) {
            // not on the thread that brought the last answer: what happens may have to wait for another
            return CompletableFuture.runAsync(happens).thenCompose(done -> running.get());
        }
    }

    /** A way that sees the trips to a key. */
    private abstract static class Watched implements RedisTransport {

        private final RedisTransport way;
        private final String tag;

        Watched(RedisTransport way, String key) {
            this.way = way;
            this.tag = "{" + key + "}";
        }

        abstract CompletionStage<List<Long>> runWatched(int keys, Supplier<CompletionStage<List<Long>>> running);

        @Override
        public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
            boolean concerned = new String(keys[0], StandardCharsets.UTF_8).contains(tag);
            return concerned
                    ? runWatched(keys.length, () -> way.run(script, keys, arguments))
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
