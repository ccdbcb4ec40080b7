/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What somebody else has written under a counter's name: unreadable is unused, another type is an error. */
@WithRedis
class ForeignStateTests {

    private static final String KEY = "alice";
    /** An instant that a counter of ours might name, in microseconds. */
    private static final String IN_A_DAY = Long.toString(
            System.currentTimeMillis() * 1_000 + Duration.ofDays(1).toNanos() / 1_000);

    private static final List<String> FOREIGN = List.of(
            "",
            "hello",
            "{\"a\":1}",
            "-5",
            "+5",
            "1.5",
            "1e9",
            "0x10",
            "nan",
            "inf",
            "|",
            "||",
            ":",
            "::",
            ":|",
            "|:",
            ",",
            ":,|",
            "1:",
            ":1",
            "1:2:3",
            "5|",
            "|5",
            "|x",
            "5|x",
            "a:b|c",
            "1:2,3,,4|",
            "1:,",
            "L",
            "L5",
            "Lx",
            "1:1:1",
            "12345678901234567890123",
            "99999999999999999999999999999999",
            "1:99999999999999999999999999999999",
            "\u0000",
            "\u00ff\u00fe",
            "1760000000000000123\n",
            " 1760000000000000123",
            "1760000000000000123 ",
            "#",
            IN_A_DAY + "123x",
            IN_A_DAY + "123|1234567",
            IN_A_DAY + "123|123456789",
            IN_A_DAY + ":3 left",
            IN_A_DAY + ":3|" + IN_A_DAY);

    private final RedisServer redis;
    private final Client client;
    private final RedisRateLimitStore store;
    private final RedisCommands commands;

    ForeignStateTests(RedisServer redis) {
        this.redis = redis;
        this.client = Client.of(redis, Client.Kind.LETTUCE);
        this.store = client.store();
        this.commands = redis.connect();
    }

    @BeforeEach
    void flush() {
        redis.flush();
    }

    @AfterEach
    void close() {
        commands.close();
        store.close();
        client.close();
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeReadIsUnused(Kind kind) {
        Limit limit = limit(kind);
        String name = name(limit);
        for (String foreign : FOREIGN) {
            write(limit, name, foreign.getBytes(ISO_8859_1));
            assertThat(state(limit)).as("state of '%s'", foreign).isEqualTo(new Allowed(limit, 5, 0, 0));
            takeTwo(kind, limit, foreign);
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedStateIsNeverAnErrorAndLivesOnlyAsLongAsItMay(Kind kind) {
        Limit limit = limit(kind);
        String name = name(limit);
        Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 2))));
        byte[] state = read(limit, name);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = state.clone();
            for (int hits = random.nextInt(3); hits >= 0; hits--) {
                damaged[random.nextInt(damaged.length)] =
                        (byte) "0123456789:|,L-. \u0000\u00ff".charAt(random.nextInt(19));
            }
            write(limit, name, damaged);
            Stages.await(store.peek(List.of(kind.charge(limit, KEY, 1))));
            Stages.await(store.acquireUpTo(kind.charge(limit, KEY, 1)));
            Stages.await(store.refund(List.of(kind.charge(limit, KEY, 1))));
            Stages.await(store.cancel(Stages.await(store.reserve(List.of(kind.charge(limit, KEY, 1))))));
            Stages.await(store.lock(limit, KEY, Duration.ofSeconds(1)));
            assertThat((Long) commands.send("PTTL", name))
                    .as(new String(damaged, ISO_8859_1))
                    .isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherTypeIsAnErrorAndStaysAsItIs(Kind kind) {
        Limit limit = limit(kind);
        String name = name(limit);
        redis.command("HSET", name, "field", "value");
        List<Charge> one = List.of(kind.charge(limit, KEY, 1));
        List<Charge> two = List.of(kind.charge(limit, "bob", 1), kind.charge(limit, KEY, 1));
        Stream.<Runnable>of(
                        () -> Stages.await(store.acquire(one)),
                        () -> Stages.await(store.reserve(one)),
                        () -> Stages.await(store.peek(one)),
                        () -> Stages.await(store.acquireUpTo(one.get(0))),
                        () -> Stages.await(store.refund(one)),
                        () -> Stages.await(store.lock(limit, KEY, Duration.ofSeconds(1))),
                        () -> Stages.await(store.acquire(two)))
                .forEach(operation -> assertThatThrownBy(operation::run)
                        .isInstanceOf(RateLimitStoreException.class)
                        .hasMessageContaining("WRONGTYPE"));
        assertThat(redis.command("HGET", name, "field")).isEqualTo("value");
        assertThat(redis.command("DBSIZE")).isEqualTo(1L);
        Stages.await(store.reset(limit, KEY));
        Stages.await(store.acquire(one));
    }

    @ParameterizedTest
    @EnumSource(names = "SLIDING_WINDOW_LOG")
    void aStringIsNoLog(Kind kind) {
        Limit limit = limit(kind);
        redis.command("SET", name(limit), "5");
        assertThatThrownBy(() -> Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 1)))))
                .isInstanceOf(RateLimitStoreException.class);
    }

    private static Limit limit(Kind kind) {
        return kind.named("foreign").permits(5).period(Duration.ofDays(1)).build();
    }

    private static String name(Limit limit) {
        return RedisUnderTest.PREFIX + ":" + limit.name() + ":{" + KEY + "}:" + limit.shape();
    }

    private Allowed state(Limit limit) {
        return (Allowed) Stages.await(store.peek(List.of(Charge.of(limit, KEY, 0))));
    }

    private void takeTwo(Kind kind, Limit limit, String foreign) {
        assertThat(Stages.await(store.acquire(List.of(kind.charge(limit, KEY, 2))))
                        .passes())
                .as("granted after '%s'", foreign)
                .isTrue();
        assertThat(state(limit).remaining()).as("left after '%s'", foreign).isEqualTo(3);
        assertThat((Long) commands.send("PTTL", name(limit)))
                .as("time to live after '%s'", foreign)
                .isPositive();
    }

    private void write(Limit limit, String name, byte[] value) {
        commands.send("DEL", name);
        commands.sendBytes((isLog(limit) ? "RPUSH" : "SET").getBytes(UTF_8), name.getBytes(UTF_8), value);
    }

    private byte[] read(Limit limit, String name) {
        Object value = isLog(limit)
                ? commands.sendBytes("LINDEX".getBytes(UTF_8), name.getBytes(UTF_8), "-1".getBytes(UTF_8))
                : commands.sendBytes("GET".getBytes(UTF_8), name.getBytes(UTF_8));
        return (byte[]) Objects.requireNonNull(value);
    }

    private static boolean isLog(Limit limit) {
        return limit.shape().startsWith("sl");
    }
}
