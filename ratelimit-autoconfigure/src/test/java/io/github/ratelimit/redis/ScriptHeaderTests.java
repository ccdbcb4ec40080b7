/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every script file says what it is, what it takes and what it replies, and does just that. */
@WithRedis
class ScriptHeaderTests {

    private static final Pattern UNPACKED =
            Pattern.compile("local ([a-z_, \\n]+?)\\s*=\\s*struct\\.unpack\\('<(d+)', numbers, 2\\)");
    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");

    private static List<String> files() {
        return ScriptHeader.files();
    }

    @Test
    void everyFileHasItsPlace() {
        List<String> known = new ArrayList<>(List.of("time", "clock", "bucket_text"));
        for (Operation operation : Operation.values()) {
            known.add(operation.file());
        }
        for (Counter counter : Counter.values()) {
            known.add(counter.files().get(counter.files().size() - 1));
            known.add(counter.backFile());
            if (counter.hasUsual()) {
                known.add(counter.usualFile());
            }
        }
        assertThat(files()).containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFileOpensWithWhatItIs(String file) {
        assertThat(ScriptHeader.of(ScriptHeader.text(file)).sentence())
                .hasSizeGreaterThan(12)
                .matches("[A-Z].*");
    }

    @ParameterizedTest
    @MethodSource("files")
    void onlyOneFileKnowsTheTimeAndTwoSetTimesToLive(String file) {
        TreeSet<String> commands = new TreeSet<>();
        Matcher call = COMMAND.matcher(ScriptHeader.text(file));
        while (call.find()) {
            commands.add(call.group(1));
        }
        if (file.equals("time")) {
            assertThat(commands).containsExactly("TIME");
        } else if (file.equals("clock")) {
            assertThat(commands).containsExactly("PEXPIRE", "PSETEX");
        } else if (file.equals(Counter.GREEDY.usualFile())) {
            assertThat(commands).containsExactly("GET", "MGET", "PSETEX", "SET");
        } else if (file.startsWith("sliding_log")) {
            assertThat(commands).isSubsetOf("DEL", "LINDEX", "LLEN", "LRANGE", "LSET", "LTRIM", "RPOP", "RPUSH");
        } else {
            assertThat(commands).isSubsetOf("DEL", "GET");
        }
        assertThat(ScriptHeader.text(file)).doesNotContain("tostring(");
    }

    @ParameterizedTest
    @EnumSource
    void anAlgorithmTakesTheNumbersItNames(Counter counter) {
        String text = ScriptHeader.text(counter.files().get(counter.files().size() - 1));
        ScriptHeader header = ScriptHeader.of(text);
        Matcher unpacked = UNPACKED.matcher(text);
        assertThat(unpacked.find()).isTrue();
        int numbers = header.count("numbers");
        assertThat(unpacked.group(1).split(",", -1)).hasSize(numbers);
        assertThat(unpacked.group(2)).hasSize(numbers);
        assertThat(kinds(counter))
                .isNotEmpty()
                .allSatisfy(kind -> assertThat(
                                counter.numbers(kind.named("limit").permits(3).build()))
                        .hasSize(numbers));
        assertThat(header.count("facts")).isEqualTo(3);
        assertThat(header.term("KEYS")).startsWith("one ").contains("missing = ");
        assertThat(text).doesNotContain("ARGV[").doesNotContain("KEYS[");
    }

    @ParameterizedTest
    @EnumSource
    void anOperationTakesTheKeysItNames(Operation operation) {
        String text = ScriptHeader.text(operation.file());
        ScriptHeader header = ScriptHeader.of(text);
        assertThat(header.term("ARGV")).isNotEmpty();
        assertThat(header.term("reply")).isNotEmpty();
        if (header.term("KEYS").equals("one")) {
            assertThat(text).contains("KEYS[1]").doesNotContain("#KEYS");
        } else {
            assertThat(header.term("KEYS")).isEqualTo("one per limit");
            assertThat(text).contains("#KEYS");
        }
    }

    /** To limits of seven permits, whose time is no whole number of microseconds: no call of theirs is usual. */
    @ParameterizedTest
    @EnumSource
    void anOperationRepliesWithTheIntegersItNames(Operation operation, RedisServer redis) {
        try (RedisCommands commands = redis.connect()) {
            for (Kind kind : Kind.values()) {
                for (String mode : List.of("acquire", "reserve", "peek", "spare")) {
                    List<Charge> one = List.of(
                            kind.charge(kind.named(mode + kind).permits(7).build(), "a", 1));
                    assertThat(reply(commands, operation, mode, one)).hasSize(replySize(operation, mode, 1));
                }
            }
            if (!ScriptHeader.of(ScriptHeader.text(operation.file()))
                    .term("KEYS")
                    .equals("one")) {
                List<Charge> all = Stream.of(Kind.values())
                        .map(kind ->
                                kind.charge(kind.named("all" + kind).permits(7).build(), "a", 1))
                        .toList();
                assertThat(reply(commands, operation, "reserve", all))
                        .hasSize(replySize(operation, "reserve", all.size()));
            }
        }
    }

    /** What the header says, read by its numerals. */
    private static int replySize(Operation operation, String mode, int limits) {
        String told = ScriptHeader.of(ScriptHeader.text(operation.file())).term("reply");
        int perLimit =
                told.matches(".*five integers per (limit|cost).*") || told.contains("then as acquire: verdict") ? 5 : 1;
        boolean more = (told.contains("on reserve two more") && mode.equals("reserve"));
        int ahead = told.startsWith("how many were granted; then") ? 1 : 0;
        int aheadPerLimit = told.matches("one integer per limit: .*; then .*") ? limits : 0;
        return ahead + aheadPerLimit + perLimit * limits + (more ? 2 : 0);
    }

    private static List<?> reply(RedisCommands commands, Operation operation, String mode, List<Charge> charges) {
        Scripts scripts = new Scripts();
        List<PackedLimit> packed = charges.stream()
                .map(charge -> new PackedLimit(charge.limit(), "header", false))
                .toList();
        Script script =
                charges.size() == 1 ? scripts.one(operation, packed.get(0).counter()) : scripts.several(operation);
        List<byte[]> command = new ArrayList<>(List.of(
                "EVAL".getBytes(UTF_8),
                script.text(),
                Integer.toString(charges.size()).getBytes(UTF_8)));
        for (int i = 0; i < charges.size(); i++) {
            command.add(packed.get(i).key(charges.get(i).key()));
        }
        if (operation == Operation.ACQUIRE) {
            command.add(mode.getBytes(UTF_8));
        }
        for (PackedLimit limit : packed) {
            command.add(limit.numbers());
            command.add(
                    switch (operation) {
                        case ACQUIRE -> PackedLimit.pack(1, 0);
                        case CANCEL -> PackedLimit.pack(1, 0, 0, 0, 0, 0);
                        case IN_TURN -> PackedLimit.pack(1);
                        case UP_TO, REFUND, LOCK -> "1".getBytes(UTF_8);
                    });
        }
        List<?> reply = (List<?>) Objects.requireNonNull(commands.sendBytes(command.toArray(byte[][]::new)));
        assertThat(reply).allSatisfy(integer -> assertThat(integer).isInstanceOf(Long.class));
        return reply;
    }

    @Test
    void aUsualCallRepliesWithOneIntegerForEachCost(RedisServer redis) {
        String told =
                ScriptHeader.of(ScriptHeader.text(Counter.GREEDY.usualFile())).term("reply");
        assertThat(told).startsWith("one integer per cost");
        PackedLimit packed =
                new PackedLimit(Kind.TOKEN_BUCKET.named("usual").permits(2).build(), "header", false);
        try (RedisCommands commands = redis.connect()) {
            List<byte[]> command = new ArrayList<>(List.of(
                    "EVAL".getBytes(UTF_8),
                    new Scripts().one(Operation.IN_TURN, Counter.GREEDY).text(),
                    "1".getBytes(UTF_8),
                    packed.key("a")));
            command.addAll(List.of(packed.inTurn(PackedLimit.pack(1, 2, 1, 1))));
            assertThat((List<?>) commands.sendBytes(command.toArray(byte[][]::new)))
                    .asInstanceOf(InstanceOfAssertFactories.list(Long.class))
                    .hasSize(4)
                    .satisfies(debts -> {
                        assertThat(debts.get(0)).isPositive();
                        assertThat(debts.get(1)).isEqualTo(-1 - debts.get(0));
                        assertThat(debts.get(2)).isEqualTo(2 * debts.get(0));
                        assertThat(debts.get(3)).isEqualTo(-1 - debts.get(2));
                    });
        }
    }

    private static List<Kind> kinds(Counter counter) {
        return Arrays.stream(Kind.values())
                .filter(kind -> Counter.of(kind.named("limit").permits(3).build()) == counter)
                .toList();
    }

    @Test
    void aHeaderThatDriftsIsNoticed() {
        ScriptHeader header = ScriptHeader.of("""
                -- A thing.
                --
                -- KEYS     one string; missing = unused
                -- numbers  capacity, shadow, permit (sec, usec, ticks), first call (1: opened
                --          by the first grant), last
                -- facts    debt after the decision: sec, usec, ticks

                local x = 1
                """);
        assertThat(header.sentence()).isEqualTo("A thing.");
        assertThat(header.term("KEYS")).isEqualTo("one string; missing = unused");
        assertThat(header.count("numbers")).isEqualTo(7);
        assertThat(header.count("facts")).isEqualTo(3);
        assertThat(header.term("ARGV")).isEmpty();
    }
}
