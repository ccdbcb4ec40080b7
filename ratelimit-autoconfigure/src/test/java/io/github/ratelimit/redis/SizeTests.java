/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a counter costs in Redis's memory, all in: name, value, time to live, and its part of Redis's own tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SizeTests {

    private static final int KEYS = 10_000;
    private static final int NAME_LENGTH = 26;
    private static final Duration HOUR = Duration.ofHours(1);

    private final RedisServer redis = RedisServer.start();
    private final Client client = Client.of(redis, Client.Kind.LETTUCE);
    private final RedisRateLimitStore store = client.store();

    @AfterAll
    void stop() {
        store.close();
        client.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    void aBucketTakes150BytesInTheUsualCase(Kind kind) {
        Limit limit = kind.named("limit").permits(60).period(HOUR).build();
        long bytes = bytesPer(KEYS, i -> store.acquire(List.of(Charge.of(limit, key(i), 60))));
        assertNameLength();
        assertThat(bytes).isLessThanOrEqualTo(150);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "LEAKY_BUCKET_METER"})
    void aBucketTakes180BytesWithAFraction(Kind kind) {
        assertThat(bytesWithARest(kind)).isLessThanOrEqualTo(180);
    }

    /** A slack is followed by the name of its numbers. */
    @Test
    void anIntervalBucketTakes200BytesWithASlack() {
        assertThat(bytesWithARest(Kind.TOKEN_BUCKET_INTERVAL)).isLessThanOrEqualTo(200);
    }

    private long bytesWithARest(Kind kind) {
        Limit limit =
                kind.named("limit").permits(70_000).period(Duration.ofDays(30)).build();
        return bytesPer(KEYS, i -> store.acquire(List.of(Charge.of(limit, key(i), 69_999))));
    }

    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    void aBucketTakes180BytesWithAPenalty(Kind kind) {
        Limit limit = kind.named("limit").permits(60).period(HOUR).penalty(HOUR).build();
        long bytes = bytesPer(
                KEYS,
                i -> store.acquire(List.of(Charge.of(limit, key(i), 60)))
                        .thenCompose(granted -> store.acquire(List.of(Charge.of(limit, key(i), 1)))));
        assertThat(bytes).isLessThanOrEqualTo(180);
    }

    /** As long as instances with other numbers may call. */
    @ParameterizedTest
    @EnumSource(names = ".*BUCKET.*", mode = EnumSource.Mode.MATCH_ANY)
    void aBucketTakes220BytesOnceNumbersHaveCutIt(Kind kind) {
        Limit limit = kind.named("limit").permits(60).period(HOUR).build();
        Limit smaller = limit.with().period(Duration.ofMinutes(10)).build();
        long bytes = bytesPer(
                KEYS,
                i -> store.acquire(List.of(Charge.of(limit, key(i), 60)))
                        .thenCompose(granted -> store.acquire(List.of(Charge.of(smaller, key(i), 1)))));
        assertThat(bytes).isLessThanOrEqualTo(220);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "FIXED_WINDOW_FIRST_CALL"})
    void aFixedWindowTakes200Bytes(Kind kind) {
        Limit limit = kind.named("limit").permits(1_000_000).period(HOUR).build();
        long bytes = bytesPer(KEYS, i -> store.acquire(List.of(Charge.of(limit, key(i), 999_999))));
        assertThat(bytes).isLessThanOrEqualTo(200);
    }

    @Test
    void aSlidingCounterTakes200BytesWithOneSlotInUse() {
        Limit limit = counter();
        long bytes = bytesPer(KEYS, i -> store.acquire(List.of(Charge.of(limit, key(i), 99_999))));
        assertThat(bytes).isLessThanOrEqualTo(200);
    }

    /** The counts of the other slots are put there in the words of the script, which then writes them anew. */
    @Test
    void aSlidingCounterTakes6BytesMorePerFurtherSlotOfUpTo99999() {
        Limit limit = counter();
        List<?> time = (List<?>) Objects.requireNonNull(redis.command("TIME"));
        long slot = Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 / limit.slotMicros();
        String counts = slot + ":10" + ",49999".repeat(limit.slots());
        try (RedisCommands commands = redis.connect()) {
            long bytes = bytesPer(KEYS, i -> {
                commands.send("SET", "test:limit:{" + key(i) + "}:" + limit.shape(), counts);
                return store.acquire(List.of(Charge.of(limit, key(i), 49_989)));
            });
            assertThat(String.valueOf(redis.command("GET", "test:limit:{" + key(1) + "}:" + limit.shape())))
                    .endsWith(":49999" + ",49999".repeat(limit.slots()));
            assertThat(bytes).isBetween(200L, 200L + 6L * limit.slots());
        }
    }

    private static Limit counter() {
        return Kind.SLIDING_WINDOW_COUNTER
                .named("limit")
                .permits(1_000_000)
                .period(Duration.ofDays(30))
                .slots(10)
                .build();
    }

    @Test
    void aLogTakes10BytesPerGrant() {
        Limit limit = log(2_047);
        int grants = 2_000;
        long bytes = bytesPer(grants, i -> store.acquire(List.of(Charge.of(limit, "alice", 1))));
        assertThat(bytes).isLessThanOrEqualTo(11);
        assertThat(redis.command("TYPE", String.valueOf(redis.command("RANDOMKEY"))))
                .isEqualTo("list");
    }

    /** All in: the list itself, whose memory comes in sizes, and its first entry, which counts nothing. */
    @Test
    void aLogOf100GrantsTakes1300Bytes() {
        Limit limit = log(100);
        int logs = 200;
        long bytes = bytesPer(logs * 100, i -> store.acquire(List.of(Charge.of(limit, key(i % logs), 1))));
        assertThat(100 * bytes).isLessThanOrEqualTo(1_300);
    }

    @Test
    void aLogOfMoreThan2047PermitsTakes12BytesPerGrant() {
        Limit limit = log(1_000_000);
        long bytes = bytesPer(KEYS, i -> store.acquire(List.of(Charge.of(limit, "alice", 1))));
        assertThat(bytes).isLessThanOrEqualTo(13);
    }

    private static Limit log(long permits) {
        return Kind.SLIDING_WINDOW_LOG
                .named("limit")
                .permits(permits)
                .period(Duration.ofDays(1))
                .build();
    }

    private static String key(long i) {
        return "k%08d".formatted(i);
    }

    private void assertNameLength() {
        assertThat(String.valueOf(redis.command("RANDOMKEY"))).hasSize(NAME_LENGTH);
    }

    /** The first calls bring the script and the client's buffers, and are not measured. */
    private long bytesPer(int calls, LongFunction<CompletionStage<?>> call) {
        Stages.await(call.apply(0));
        awaitAll(1_000, call);
        redis.flush();
        long before = usedMemory();
        awaitAll(calls, call);
        letTablesSettle();
        return (usedMemory() - before) / calls;
    }

    /** Redis moves its tables to a larger size bit by bit, with every look into them. */
    private void letTablesSettle() {
        List<String> command = new ArrayList<>(List.of("MGET"));
        ((List<?>) Objects.requireNonNull(redis.command("KEYS", "*"))).forEach(key -> command.add(String.valueOf(key)));
        redis.command(command.toArray(String[]::new));
        redis.command(command.toArray(String[]::new));
    }

    private static void awaitAll(int calls, LongFunction<CompletionStage<?>> call) {
        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            all.add(call.apply(i));
        }
        all.forEach(Stages::await);
    }

    /** Without that of the clients, whose buffers grow with what is under way and shrink seconds later. */
    private long usedMemory() {
        return sum("used_memory:(\\d+)", redis.command("INFO", "memory"))
                - sum(" tot-mem=(\\d+)", redis.command("CLIENT", "LIST"));
    }

    private static long sum(String number, @Nullable Object text) {
        List<Long> numbers = Pattern.compile(number)
                .matcher(String.valueOf(text))
                .results()
                .map(found -> Long.valueOf(found.group(1)))
                .toList();
        assertThat(numbers).as(number).isNotEmpty();
        return numbers.stream().mapToLong(Long::longValue).sum();
    }
}
