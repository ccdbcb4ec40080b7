/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.parity.History;
import io.github.ratelimit.parity.Parity;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys go by themselves, and never too early: a missing key is the unused state. */
@WithRedis
class ExpiryTests {

    private static final int HISTORIES = 150;
    private static final int STEPS_OF_A_HISTORY = 80;
    private static final String KEY = "alice";

    private final RedisServer redis;

    ExpiryTests(RedisServer redis) {
        this.redis = redis;
    }

    /** One store loses each key at its time to live, or the moment its counter is unused; the other keeps all. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losingAKeyThatIsUnusedChangesNoLaterAnswer(boolean losesTheUnused) {
        redis.flush();
        try (ForgetfulRedis forgetful =
                new ForgetfulRedis(RedisUnderTest.on(redis, Client.Kind.JEDIS), losesTheUnused)) {
            Parity parity = new Parity(Stores::local, forgetful);
            for (int seed = 0; seed < HISTORIES; seed++) {
                parity.check(History.forwards(seed, List.of(Kind.values())), STEPS_OF_A_HISTORY);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyHasATimeToLiveAfterEveryOperation(Kind kind) {
        Limit limit =
                kind.named("ttl").permits(5).penalty(Duration.ofSeconds(5)).build();
        Charge one = kind.charge(limit, KEY, 1);
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            lives(store.acquire(List.of(kind.charge(limit, KEY, 3))));
            Reservation reservation = lives(store.reserve(List.of(one)));
            lives(store.cancel(reservation));
            lives(store.refund(List.of(one)));
            Stages.await(store.reset(limit, KEY));
            assertThat(keys()).isEmpty();
            lives(store.lock(limit, KEY, Duration.ofSeconds(3)));
            lives(store.acquireUpTo(one));
            lives(store.acquire(List.of(one)));
            Stages.await(store.reset(limit, KEY));
            lives(store.acquireUpTo(kind.charge(limit, KEY, 9)));
            lives(store.acquireUpTo(one));
            Stages.await(store.reset(limit, KEY));
            lives(store.acquire(List.of(kind.charge(limit, KEY, 5))));
            lives(store.acquire(List.of(one)));
            lives(store.acquire(List.of(one, kind.charge(limit, "bob", 1))));
            lives(store.refund(List.of(kind.charge(limit, KEY, 2))));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(20)
    void anUnusedKeyIsGone(Kind kind) {
        Limit limit =
                kind.named("short").permits(2).period(Duration.ofMillis(20)).build();
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store();
                RedisCommands commands = redis.connect()) {
            Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 2))));
            while (!Objects.equals(commands.send("DBSIZE"), 0L)) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKeyLivesUntilItIsUnusedAndTwoMillisecondsAtMost(Kind kind) {
        Limit limit =
                kind.named("lives").permits(7).period(Duration.ofSeconds(10)).build();
        redis.flush();
        try (RedisUnderTest store = RedisUnderTest.on(redis, Client.Kind.JEDIS)) {
            Caller caller = new Caller(store, 1_760_000_000_123_456L);
            for (int i = 0; i < 4; i++) {
                long unused =
                        caller.after(333_333).take(kind.charge(limit, KEY, 1)).resetAfterMicros();
                assertLives(store, caller.now() + unused);
            }
            caller.lock(limit, KEY, Duration.ofSeconds(30));
            assertLives(store, caller.now() + 30_000_000);
        }
    }

    private static void assertLives(RedisUnderTest store, long until) {
        assertThat(store.time().deadlines()).hasSize(1);
        assertThat(store.time().deadlines().values())
                .allSatisfy(deadline -> assertThat(deadline).isBetween(until, until + 2_000));
    }

    @ParameterizedTest
    @EnumSource
    void aDenialDoesNotProlongAKey(Kind kind) {
        Limit limit = kind.named("denied").permits(1).period(Duration.ofDays(1)).build();
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 1))));
            Long before = (Long) redis.command("PTTL", keys().get(0));
            for (int i = 0; i < 100; i++) {
                Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 1))));
            }
            assertThat((Long) redis.command("PTTL", keys().get(0))).isLessThanOrEqualTo(before);
        }
    }

    private <T> T lives(CompletionStage<T> stage) {
        T answer = Stages.await(stage);
        assertThat(keys())
                .isNotEmpty()
                .allSatisfy(key ->
                        assertThat((Long) redis.command("PTTL", key)).as(key).isPositive());
        return answer;
    }

    private List<String> keys() {
        return ((List<?>) Objects.requireNonNull(redis.command("KEYS", "*")))
                .stream().map(String::valueOf).toList();
    }
}
