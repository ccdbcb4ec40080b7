/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.concurrency;

import static io.github.ratelimit.testkit.Stages.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many threads on one counter, in this JVM and on one Redis through several stores with clients of their own: what is
 * granted is what one caller alone would have been granted, to the permit.
 */
@WithRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConcurrencyTests {

    private static final long T0 = 20_370L * 86_400_000_000L;
    private static final String KEY = "alice";
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Where, and how many permits it takes there to keep all threads busy at once. */
    enum Place {
        LOCAL(20_000),
        OPEN(20_000),
        REDIS(100);

        private final int permits;

        Place(int permits) {
            this.permits = permits;
        }
    }

    private final Crowd local = new Crowd(Stores.local());
    private final Crowd open = new Crowd(Stores.openLocal());
    private final Crowd redis;

    ConcurrencyTests(RedisServer redis) {
        this.redis = new Crowd(Stores.lettuce(redis), Stores.jedis(redis), Stores.lettuce(redis), Stores.jedis(redis));
    }

    @AfterAll
    void close() {
        local.close();
        open.close();
        redis.close();
    }

    static Stream<Arguments> everyKindEverywhere() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(place, kind)));
    }

    static Stream<Arguments> everyKindThatTakesReservationsBackAtOnce() {
        return everyKindEverywhere().filter(place -> place.get()[1] != Kind.LEAKY_BUCKET);
    }

    private Crowd crowd(Place place) {
        Crowd crowd = switch (place) {
            case LOCAL -> local;
            case OPEN -> open;
            case REDIS -> redis;
        };
        crowd.setClock(T0);
        return crowd;
    }

    private static Limit perMinute(Kind kind, long permits) {
        return kind.named("limit-" + NAMES.incrementAndGet())
                .permits(permits)
                .period(Duration.ofMinutes(1))
                .build();
    }

    private static long remaining(Crowd crowd, Limit limit) {
        return new Caller(crowd.one(), T0).state(limit, KEY).remaining();
    }

    private static long takeAll(RateLimitStore store, Charge... charges) {
        long taken = 0;
        while (await(store.acquire(List.of(charges))).passes()) {
            taken++;
        }
        return taken;
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void everyPermitIsGrantedOnce(Place place, Kind kind) {
        Limit limit = perMinute(kind, place.permits);
        List<Long> remaining = new ArrayList<>();
        crowd(place)
                .all((store, thread) -> {
                    List<Long> seen = new ArrayList<>();
                    while (await(store.acquire(List.of(kind.charge(limit, KEY, 1)))) instanceof Allowed granted) {
                        seen.add(granted.remaining());
                    }
                    return seen;
                })
                .forEach(remaining::addAll);
        remaining.sort(null);
        assertThat(remaining)
                .isEqualTo(LongStream.range(0, place.permits).boxed().toList());
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void whatIsGrantedIsWhatIsMissing(Place place, Kind kind) {
        Limit limit = perMinute(kind, place.permits);
        Crowd crowd = crowd(place);
        long granted = crowd.sum((store, thread) -> {
            SplittableRandom random = new SplittableRandom(thread);
            long sum = 0;
            for (int i = 0; i < place.permits / 5; i++) {
                long cost = 1 + random.nextLong(7);
                sum += await(store.acquire(List.of(kind.charge(limit, KEY, cost))))
                                .passes()
                        ? cost
                        : 0;
            }
            return sum;
        });
        assertThat(granted).isBetween(place.permits - 6L, (long) place.permits);
        assertThat(remaining(crowd, limit)).isEqualTo(place.permits - granted);
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void asManyAsThereAreIsNeverMore(Place place, Kind kind) {
        Limit limit = perMinute(kind, place.permits);
        long granted = crowd(place).sum((store, thread) -> {
            long sum = 0;
            long last = 1;
            while (last > 0) {
                last = await(store.acquireUpTo(Charge.of(limit, KEY, 2L + thread)))
                        .granted();
                sum += last;
            }
            return sum;
        });
        assertThat(granted).isEqualTo(place.permits);
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void severalLimitsAreChargedTogetherOrNotAtAll(Place place, Kind kind) {
        Limit wide = perMinute(kind, 2L * place.permits);
        Limit narrow = perMinute(Kind.SLIDING_WINDOW_LOG, place.permits);
        Charge first = kind.charge(wide, KEY, 1);
        Charge second = Charge.of(narrow, KEY, 1);
        Crowd crowd = crowd(place);
        AtomicLong together = new AtomicLong();
        long granted = crowd.sum((store, thread) -> {
            if (thread % 4 == 3) {
                return takeAll(store, second);
            }
            long taken = thread % 2 == 0 ? takeAll(store, first, second) : takeAll(store, second, first);
            together.addAndGet(taken);
            return taken;
        });
        assertThat(granted).isEqualTo(place.permits);
        assertThat(remaining(crowd, narrow)).isZero();
        assertThat(remaining(crowd, wide)).isEqualTo(2L * place.permits - together.get());
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void whatIsOutAndComesBackIsNeverMoreThanThereIs(Place place, Kind kind) {
        Limit limit = perMinute(kind, 10);
        Charge three = kind.charge(limit, KEY, 3);
        outAndBack(
                place,
                limit,
                store -> new Reservation(await(store.acquire(List.of(three))), List.of()),
                (store, granted) -> await(store.refund(List.of(three))));
    }

    @ParameterizedTest
    @MethodSource("everyKindThatTakesReservationsBackAtOnce")
    void whatIsReservedAndCancelledIsNeverMoreThanThereIs(Place place, Kind kind) {
        Limit limit = perMinute(kind, 10);
        Charge three = Charge.of(limit, KEY, 3);
        outAndBack(
                place,
                limit,
                store -> await(store.reserve(List.of(three))),
                (store, reservation) ->
                        assertThat(await(store.cancel(reservation))).isEqualTo(3));
    }

    /** Takes three permits, or not. */
    private interface Taking {

        Reservation from(RateLimitStore store);
    }

    private interface Return {

        void to(RateLimitStore store, Reservation reservation);
    }

    private void outAndBack(Place place, Limit limit, Taking taking, Return back) {
        Crowd crowd = crowd(place);
        AtomicLong out = new AtomicLong();
        List<Long> most = crowd.all((store, thread) -> {
            long seen = 0;
            for (int i = 0; i < place.permits / 4; i++) {
                Reservation reservation = taking.from(store);
                if (reservation.decision().passes()) {
                    seen = Math.max(seen, out.addAndGet(3));
                    out.addAndGet(-3);
                    back.to(store, reservation);
                }
            }
            return seen;
        });
        assertThat(most).allMatch(seen -> seen <= 9);
        assertThat(new Caller(crowd.one(), T0).state(limit, KEY)).isEqualTo(new Allowed(limit, 10, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void theDenialsOfManyStartOnePenalty(Place place, Kind kind) {
        Limit limit = perMinute(kind, place.permits)
                .with()
                .penalty(Duration.ofHours(1))
                .build();
        List<Denied> denials = new ArrayList<>();
        AtomicLong granted = new AtomicLong();
        crowd(place)
                .all((store, thread) -> {
                    List<Denied> mine = new ArrayList<>();
                    while (mine.size() < 5) {
                        Decision decision = await(store.acquire(List.of(kind.charge(limit, KEY, 1))));
                        if (decision instanceof Denied denied) {
                            mine.add(denied);
                        } else {
                            granted.incrementAndGet();
                        }
                    }
                    return mine;
                })
                .forEach(denials::addAll);
        assertThat(granted).hasValue(place.permits);
        assertThat(denials)
                .allMatch(denied -> denied.reason() == DenialReason.PENALTY
                        && denied.retryAfterMicros() == Duration.ofHours(1).toMillis() * 1_000);
    }

    @ParameterizedTest
    @MethodSource("everyKindEverywhere")
    void whileTimeGoesOnManyGetWhatOneWouldGet(Place place, Kind kind) {
        Limit limit = kind.named("limit-" + NAMES.incrementAndGet())
                .permits(place.permits / 5)
                .period(Duration.ofSeconds(1))
                .build();
        Charge one = kind.charge(limit, KEY, 1);
        Crowd crowd = crowd(place);
        try (StoreUnderTest alone = Stores.local()) {
            for (long at = T0; at < T0 + 3_000_000; at += 130_007) {
                crowd.setClock(at);
                alone.setClock(at);
                assertThat(crowd.sum((store, thread) -> takeAll(store, one))).isEqualTo(takeAll(alone.store(), one));
            }
        }
    }
}
