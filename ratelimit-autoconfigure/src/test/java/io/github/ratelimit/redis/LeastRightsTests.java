/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import io.github.ratelimit.tuning.SharedNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the page says a Redis user must be allowed is enough, and nothing of it is too much. */
@WithRedis
class LeastRightsTests {

    private static final String USER = "counter";
    private static final String PASSWORD = "secret";
    private static final String PREFIX = "ratelimit:rights";

    /** Without these changes are found by looking, and Jedis drops connections that are idle. */
    private static final Set<String> FOR_SPEED = Set.of("+publish", "+subscribe", "+ping");

    private final RedisServer redis;

    LeastRightsTests(RedisServer redis) {
        this.redis = redis;
    }

    static Stream<Arguments> rightsAndClients() {
        return LeastRights.rules().stream()
                .filter(rule -> rule.startsWith("+") && !FOR_SPEED.contains(rule))
                .flatMap(right -> Stream.of(Client.Kind.values()).map(kind -> Arguments.of(right, kind)));
    }

    @ParameterizedTest
    @MethodSource("rightsAndClients")
    void isNeeded(String right, Client.Kind kind) {
        allow(right.replace('+', '-'));
        try (Client client = Client.of(redis, kind, USER, PASSWORD)) {
            Throwable refusal = catchThrowable(() -> doEverything(client));
            assertThat(refusal).as("without %s", right).isNotNull();
            assertThat(StoreFailure.of(refusal)).as("%s", refusal).isEqualTo(StoreFailure.NOPERM);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isEnough(Client.Kind kind) {
        allow();
        try (Client client = Client.of(redis, kind, USER, PASSWORD)) {
            doEverything(client);
            redis.command("SCRIPT", "FLUSH");
            doEverything(client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoMayNotTellOthersWritesAllTheSame(Client.Kind kind) {
        allow("-publish", "-subscribe", "resetchannels");
        try (Client client = Client.of(redis, kind, USER, PASSWORD)) {
            useNotes(client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherKeysAreRefused(Client.Kind kind) {
        allow("resetkeys", "~elsewhere:*");
        try (Client client = Client.of(redis, kind, USER, PASSWORD)) {
            Throwable refusal = catchThrowable(() -> doEverything(client));
            assertThat(StoreFailure.of(refusal)).as("%s", refusal).isEqualTo(StoreFailure.NOPERM);
        }
    }

    @Test
    void whoMayListenHears() {
        allow();
        try (Client client = Client.of(redis, Client.Kind.LETTUCE, USER, PASSWORD);
                SharedNotes notes = RedisNotes.over(client.connections(), PREFIX);
                SharedNotes others = RedisNotes.over(client.connections(), PREFIX)) {
            AtomicInteger heard = new AtomicInteger();
            notes.onChange(heard::incrementAndGet);
            assertThat(notes.read()).isEmpty();
            others.write("orders", "permits=1");
            Eventually.until("heard", Duration.ofSeconds(5), () -> heard.get() == 1);
        }
    }

    @AfterEach
    void forget() {
        redis.command("ACL", "DELUSER", USER);
        redis.flush();
    }

    private void allow(String... changes) {
        redis.command("SCRIPT", "FLUSH");
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", USER, "on", ">" + PASSWORD));
        command.addAll(LeastRights.rules());
        command.addAll(List.of(changes));
        redis.command(command.toArray(String[]::new));
    }

    private static void doEverything(Client client) {
        try (RedisRateLimitStore store = new RedisRateLimitStore(client.transport(), PREFIX)) {
            Stages.await(store.prepare());
            List<Charge> together = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                Limit limit = kind.named(kind.name())
                        .permits(10)
                        .period(Duration.ofMinutes(kind.isBucket() ? 10 : 1_440))
                        .build();
                together.add(kind.charge(limit, "alice", 1));
                countWith(store, kind, limit);
            }
            Stages.await(store.acquire(together));
            Stages.await(store.refund(together));
            shareTrips(store);
            logWhatLeaves(store);
        }
        useNotes(client);
    }

    private static void countWith(RedisRateLimitStore store, Kind kind, Limit limit) {
        Charge one = kind.charge(limit, "alice", 1);
        Stages.await(store.acquire(List.of(one)));
        Stages.await(store.acquireUpTo(kind.charge(limit, "alice", 2)));
        Reservation reservation = Stages.await(store.reserve(List.of(kind.charge(limit, "alice", 2))));
        Stages.await(store.peek(List.of(one)));
        Stages.await(store.cancel(reservation));
        Stages.await(store.refund(List.of(one)));
        Stages.await(store.lock(limit, "alice", Duration.ofDays(1)));
        Stages.await(store.acquire(List.of(one)));
        Stages.await(store.reset(limit, "alice"));
    }

    /** Of keys that are not there, and of such that are. */
    private static void shareTrips(RedisRateLimitStore store) {
        Limit limit = Kind.TOKEN_BUCKET
                .named("shared")
                .permits(10)
                .period(Duration.ofMinutes(10))
                .build();
        List<Charge> calls = List.of(Charge.of(limit, "alice", 1), Charge.of(limit, "bob", 1));
        Stages.await(store.acquireInTurn(calls));
        Stages.await(store.acquireInTurn(calls));
    }

    /** Permits of a log leave it one by one. */
    private static void logWhatLeaves(RedisRateLimitStore store) {
        Duration period = Duration.ofMillis(40);
        Limit limit = Kind.SLIDING_WINDOW_LOG
                .named("log")
                .permits(10_000)
                .period(period)
                .build();
        for (long end = System.nanoTime() + 3 * period.toNanos(); System.nanoTime() - end < 0; ) {
            Stages.await(store.acquire(List.of(Charge.of(limit, "alice", 1))));
        }
    }

    private static void useNotes(Client client) {
        try (SharedNotes notes = RedisNotes.over(client.connections(), PREFIX)) {
            notes.write("orders", "permits=1");
            assertThat(notes.read()).isEqualTo(Map.of("orders", "permits=1"));
            notes.remove(Set.of("orders"));
            assertThat(notes.read()).isEmpty();
        }
    }
}
