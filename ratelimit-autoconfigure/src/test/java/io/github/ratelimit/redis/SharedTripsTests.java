/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.store.Carrier;
import io.github.ratelimit.store.CoalescingStore;
import io.github.ratelimit.store.PlainTrips;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Many threads on many keys of a real Redis, whose calls share trips. */
@WithRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedTripsTests {

    private static final int THREADS = 24;
    private static final int CALLS = 300;
    private static final int KEYS = 12;
    private static final long PERMITS = 400;

    private final RedisServer server;
    private final Client client;
    private final RedisRateLimitStore redis;
    private final CoalescingStore store;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    SharedTripsTests(RedisServer server) {
        this.server = server;
        client = Client.of(server, Client.Kind.LETTUCE);
        redis = client.store();
        store = new CoalescingStore(
                redis,
                new PlainTrips(
                        redis,
                        redis::acquireInTurn,
                        new Carrier(redis::isWhereAnswersArrive, redis::runWhereAnswersArrive)),
                redis::sharesTrips,
                Duration.ofMinutes(1));
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        redis.close();
        client.close();
    }

    /** So slow that nothing comes back while the test runs. */
    private static Limit limit(String name) {
        return Kind.TOKEN_BUCKET
                .named(name)
                .permits(PERMITS)
                .period(Duration.ofMillis(PERMITS * 100_000))
                .build();
    }

    @Test
    void exactlyThePermitsOfEachKeyAreGranted() throws Exception {
        Limit limit = limit("each");
        assertThat(redis.sharesTrips(Charge.of(limit, "any", 1))).isTrue();
        ConcurrentHashMap<String, LongAdder> granted = new ConcurrentHashMap<>();
        long before = calls("evalsha");
        everyThread(random -> {
            Charge charge = Charge.of(limit, "key-" + random.nextInt(KEYS), 1 + random.nextInt(2));
            if (Stages.await(store.acquire(List.of(charge))).passes()) {
                granted.computeIfAbsent(charge.key(), key -> new LongAdder()).add(charge.cost());
            }
        });
        assertThat(calls("evalsha") - before).as("trips").isLessThan(THREADS * CALLS / 2);
        assertThat(granted).hasSize(KEYS).allSatisfy((key, sum) -> {
            Decision left = Stages.await(store.peek(List.of(Charge.of(limit, key, 0))));
            assertThat(sum.sum() + ((Decision.Allowed) left).remaining()).isEqualTo(PERMITS);
        });
    }

    /** A key of another type is as good as missing to the command that reads several: it is left alone all the same. */
    @Test
    void aForeignKeyIsLeftUndecidedAndAsItIs() {
        Limit limit = limit("kept");
        Charge bad = Charge.of(limit, "bad", 1);
        Charge good = Charge.of(limit, "good", 1);
        Charge alike = Charge.of(limit, "alike", 1);
        try (RedisCommands commands = server.connect()) {
            String name = makeForeign(commands, "kept", bad);
            String nameOfAlike = makeForeign(commands, "kept", alike);
            List<Charge> calls = List.of(bad, good, Charge.of(limit, "bad", 2), alike, good, alike);
            for (int trip = 0; trip < 2; trip++) {
                assertThat(Stages.await(redis.acquireInTurn(calls)))
                        .extracting(decision -> decision == null ? null : decision.passes())
                        .containsExactly(null, true, null, null, true, null);
            }
            assertThat((List<?>) commands.send("LRANGE", name, "0", "-1")).hasToString("[not ours]");
            assertThat((List<?>) commands.send("LRANGE", nameOfAlike, "0", "-1"))
                    .hasToString("[not ours]");
        }
    }

    /** Of another type: its calls fail, and nobody else's. */
    @Test
    void aForeignKeyFailsItsOwnCallsOnly() throws Exception {
        Limit limit = limit("foreign");
        try (RedisCommands commands = server.connect()) {
            makeForeign(commands, "foreign", Charge.of(limit, "bad", 1));
        }
        LongAdder granted = new LongAdder();
        LongAdder failed = new LongAdder();
        everyThread(random -> {
            boolean bad = random.nextInt(4) == 0;
            try {
                if (Stages.await(store.acquire(List.of(bad ? Charge.of(limit, "bad", 1) : Charge.of(limit, "good", 0))))
                        .passes()) {
                    assertThat(bad).isFalse();
                    granted.increment();
                }
            } catch (RateLimitStoreException e) {
                assertThat(bad).isTrue();
                failed.increment();
            }
        });
        assertThat(granted.sum() + failed.sum()).isEqualTo((long) THREADS * CALLS);
        assertThat(failed.sum()).isPositive();
    }

    /** All keys of a trip are read ahead of all writes: who came second would count from what was there before the first. */
    @Test
    void ofTwoSetsOfNumbersOnOneCounterTheSecondIsLeftUndecided() {
        Limit some = limit("plans");
        Limit others = ofTheSameMark(some);
        Charge charge = Charge.of(some, "both", 1);
        Stages.await(redis.acquire(List.of(charge)));

        assertThat(Stages.await(redis.acquireInTurn(List.of(charge, Charge.of(others, "both", 1), charge))))
                .extracting(decision -> decision == null ? null : decision.passes())
                .containsExactly(true, null, true);
        assertThat(((Decision.Allowed) Stages.await(redis.peek(List.of(Charge.of(some, "both", 0))))).remaining())
                .isEqualTo(PERMITS - 3);
    }

    private static Limit ofTheSameMark(Limit limit) {
        return LongStream.range(1, 10_000)
                .mapToObj(seconds -> Kind.TOKEN_BUCKET
                        .named(limit.name())
                        .permits(PERMITS)
                        .period(Duration.ofSeconds(PERMITS * seconds))
                        .build())
                .filter(other -> !other.equals(limit) && other.fingerprint() == limit.fingerprint())
                .findFirst()
                .orElseThrow();
    }

    /** Puts a list in the place of a counter. */
    private String makeForeign(RedisCommands commands, String limit, Charge charge) {
        Stages.await(redis.acquire(List.of(charge)));
        String pattern = "*" + limit + ":{" + charge.key() + "}*";
        List<?> names = (List<?>) Objects.requireNonNull(commands.send("KEYS", pattern));
        String name = String.valueOf(names.get(0));
        commands.send("DEL", name);
        commands.send("RPUSH", name, "not ours");
        return name;
    }

    private interface Caller {

        void call(Random random);
    }

    private void everyThread(Caller caller) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            all.add(threads.submit(() -> {
                for (int call = 0; call < CALLS; call++) {
                    caller.call(random);
                }
            }));
        }
        for (Future<?> one : all) {
            one.get(1, TimeUnit.MINUTES);
        }
    }

    private long calls(String command) {
        try (RedisCommands commands = server.connect()) {
            String stats = String.valueOf(commands.send("INFO", "commandstats"));
            int at = stats.indexOf("cmdstat_" + command + ":calls=");
            return at < 0 ? 0 : Long.parseLong(stats.substring(stats.indexOf('=', at) + 1, stats.indexOf(',', at)));
        }
    }
}
