/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One command per decision, and in it no more of Redis than the algorithm needs. */
@WithRedis
class CommandsTests {

    private static final String KEY = "alice";

    private final RedisServer redis;
    private final CommandStats stats;

    CommandsTests(RedisServer redis) {
        this.redis = redis;
        this.stats = new CommandStats(List.of(redis));
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationIsOneCommand(Client.Kind client) {
        try (Client connections = Client.of(redis, client);
                RedisRateLimitStore store = connections.store()) {
            everything(store);
            stats.reset();
            int operations = everything(store);
            Map<String, Integer> calls = stats.calls();
            assertThat(calls.get("evalsha")).isEqualTo(operations);
            assertThat(calls.keySet())
                    .isSubsetOf(
                            "evalsha", "time", "get", "mget", "set", "del", "psetex", "pexpire", "llen", "lindex",
                            "lrange", "lset", "rpush", "rpop", "ltrim");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SLIDING_WINDOW_LOG", mode = EnumSource.Mode.EXCLUDE)
    void aGrantIsOneReadAndOneWriteAndADenialOneRead(Kind kind) {
        Limit limit =
                kind.named("commands").permits(10).period(Duration.ofDays(30)).build();
        Charge one = kind.charge(limit, KEY, 1);
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            Stages.await(store.peek(List.of(one)));
            Stages.await(store.peek(List.of(one)));
            stats.reset();
            for (int i = 0; i < 10; i++) {
                assertThat(Stages.await(store.acquireUpTo(one)).granted()).isOne();
            }
            assertThat(withoutTheFirst(stats.calls())).isEqualTo(Map.of("time", 10, "get", 10, "psetex", 10));
            stats.reset();
            for (int i = 0; i < 10; i++) {
                assertThat(Stages.await(store.acquire(List.of(one))).passes()).isFalse();
            }
            assertThat(withoutTheFirst(stats.calls())).isEqualTo(Map.of("time", 10, "get", 10));
        }
    }

    @Test
    void aSharedTripReadsAllKeysAtOnce() {
        Limit limit = Kind.TOKEN_BUCKET
                .named("commands")
                .permits(2)
                .period(Duration.ofDays(30))
                .build();
        List<Charge> calls = Stream.of("alice", "bob", "carol", "bob")
                .map(key -> Charge.of(limit, key, 1))
                .toList();
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            Stages.await(store.peek(List.of(calls.get(0))));
            stats.reset();
            assertThat(passing(store, calls)).containsExactly(true, true, true, true);
            assertThat(withoutTheFirst(stats.calls())).isEqualTo(Map.of("time", 1, "mget", 1, "set", 3));
            stats.reset();
            assertThat(passing(store, calls)).containsExactly(true, false, true, false);
            assertThat(stats.calls()).isEqualTo(Map.of("evalsha", 1, "time", 1, "mget", 1, "psetex", 2));
        }
    }

    private static List<Boolean> passing(RedisRateLimitStore store, List<Charge> calls) {
        return Stages.await(store.acquireInTurn(calls)).stream()
                .map(decision -> Objects.requireNonNull(decision).passes())
                .toList();
    }

    /** However many entries there are: what is looked at is the newest and the oldest that counts. */
    @ParameterizedTest
    @ValueSource(ints = {2, 50, 400})
    void aLogReadsItsEndsAndWritesOneEntry(int entries) {
        Limit limit = Kind.SLIDING_WINDOW_LOG
                .named("commands")
                .permits(entries + 1)
                .period(Duration.ofDays(30))
                .build();
        Charge one = Charge.of(limit, KEY, 1);
        redis.flush();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            for (int i = 0; i < entries; i++) {
                Stages.await(store.acquire(List.of(one)));
            }
            stats.reset();
            assertThat(Stages.await(store.acquire(List.of(one))).passes()).isTrue();
            assertThat(withoutTheFirst(stats.calls()))
                    .isEqualTo(Map.of("time", 1, "lindex", 1, "lrange", 1, "rpush", 1, "pexpire", 1));
            stats.reset();
            assertThat(Stages.await(store.acquire(List.of(one))).passes()).isFalse();
            assertThat(withoutTheFirst(stats.calls())).isEqualTo(Map.of("time", 1, "lindex", 1, "lrange", 1));
        }
    }

    /** Those that have left are passed over in steps that double, and trimmed with the next grant. */
    @Test
    void aLogPassesOverWhatHasLeftAndTrimsIt() {
        Limit limit = Kind.SLIDING_WINDOW_LOG
                .named("commands")
                .permits(100)
                .period(Duration.ofSeconds(1))
                .build();
        Charge one = Charge.of(limit, KEY, 1);
        redis.flush();
        try (RedisUnderTest store = RedisUnderTest.on(redis, Client.Kind.LETTUCE)) {
            for (int i = 0; i < 20; i++) {
                store.setClock(1_000_000_000_000L + i);
                Stages.await(store.store().acquire(List.of(one)));
            }
            // 7 of 20 have left: looked at are the newest and the oldest, then 2, 3-4, 5-8, then 5 to 7 by halves
            store.setClock(1_000_000_000_000L + 1_000_006);
            stats.reset();
            assertThat(((Allowed) Stages.await(store.store().acquire(List.of(one)))).remaining())
                    .isEqualTo(100 - 13 - 1);
            Map<String, Integer> calls = stats.calls();
            assertThat(calls)
                    .containsEntry("lindex", 6)
                    .containsEntry("lrange", 1)
                    .containsEntry("ltrim", 1);
        }
    }

    /** Those granted later are read, taken away and put back in a few commands, however many there are. */
    @Test
    void aLogCancelsBehindManyInFewCommands() {
        Limit limit = Kind.SLIDING_WINDOW_LOG
                .named("commands")
                .permits(10_000)
                .period(Duration.ofHours(1))
                .build();
        long start = 1_000_000_000_000L;
        int later = 2_500;
        redis.flush();
        try (RedisUnderTest store = RedisUnderTest.on(redis, Client.Kind.LETTUCE)) {
            Caller caller = new Caller(store, start);
            caller.take(Charge.of(limit, KEY, 3));
            Reservation reservation = caller.after(1).reserve(Charge.of(limit, KEY, 2));
            for (int i = 0; i < later; i++) {
                caller.after(1).take(Charge.of(limit, KEY, 1));
            }
            caller.lock(limit, KEY, Duration.ofMillis(1));
            stats.reset();
            assertThat(caller.cancel(reservation)).isEqualTo(2);
            Map<String, Integer> calls = withoutTheFirst(stats.calls());
            calls.keySet().removeAll(Set.of("time", "pexpire"));
            assertThat(calls.values().stream().mapToInt(Integer::intValue).sum())
                    .as("commands %s", calls)
                    .isLessThan(30);
            assertThat(caller.after(1_000).state(limit, KEY).remaining()).isEqualTo(10_000 - 3 - later);
            for (int left : new int[] {0, 1, 1_000, 1_001, later - 1, later}) {
                caller.at(start + 1 + left + limit.periodMicros());
                assertThat(caller.state(limit, KEY).remaining())
                        .as("when %d of the later have left", left)
                        .isEqualTo(10_000 - later + left);
            }
        }
    }

    private static Map<String, Integer> withoutTheFirst(Map<String, Integer> calls) {
        calls.keySet().removeAll(Set.of("evalsha", "eval"));
        return calls;
    }

    /** Every operation on every kind, alone and together; how many calls of the store that were. */
    private static int everything(RedisRateLimitStore store) {
        int calls = 0;
        List<Charge> together = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Limit limit = kind.named(kind.name()).permits(10).build();
            Charge two = kind.charge(limit, KEY, 2);
            together.add(two);
            Stages.await(store.acquire(List.of(two)));
            Stages.await(store.peek(List.of(two)));
            Stages.await(store.acquireUpTo(two));
            Reservation reservation = Stages.await(store.reserve(List.of(two)));
            Stages.await(store.cancel(reservation));
            Stages.await(store.refund(List.of(two)));
            Stages.await(store.lock(limit, KEY, Duration.ofMillis(1)));
            calls += 6 + (reservation.holds().isEmpty() ? 0 : 1);
            Stages.await(store.reset(limit, KEY));
        }
        Stages.await(store.acquire(together));
        Stages.await(store.peek(together));
        Reservation reservation = Stages.await(store.reserve(together));
        Stages.await(store.cancel(reservation));
        Stages.await(store.refund(together));
        return calls + 4 + (reservation.holds().isEmpty() ? 0 : 1);
    }
}
