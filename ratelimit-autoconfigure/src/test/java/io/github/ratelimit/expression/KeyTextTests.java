/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.expression.Shop.Customer;
import io.github.ratelimit.expression.Shop.Level;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.CharBuffer;
import java.security.Principal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class KeyTextTests {

    private static final Site SITE = new Site("Shop.order(String)", Site.Attribute.KEY, "#value");

    record Tenant(String id) {}

    record User(String id) {}

    record Pair(@Nullable Object first, @Nullable Object second) {}

    static Stream<Arguments> scalars() throws UnknownHostException {
        UUID uuid = new UUID(1, 2);
        return Stream.of(
                Arguments.of("acme", "acme"),
                Arguments.of(CharBuffer.wrap("acme"), "acme"),
                Arguments.of(42, "42"),
                Arguments.of(42L, "42"),
                Arguments.of((short) 42, "42"),
                Arguments.of((byte) -1, "-1"),
                Arguments.of(42.0, "42"),
                Arguments.of(42.0f, "42"),
                Arguments.of(-0.0, "0"),
                Arguments.of(0.1, "0.1"),
                Arguments.of(0.1f, "0.1"),
                Arguments.of(Double.NaN, "NaN"),
                Arguments.of(1e300, "1E+300"),
                Arguments.of(new BigDecimal("4.2E+1"), "42"),
                Arguments.of(new BigDecimal("42.00"), "42"),
                Arguments.of(new BigDecimal("0.0"), "0"),
                Arguments.of(new BigDecimal("1E+2000000000"), "1E+2000000000"),
                Arguments.of(BigInteger.TEN, "10"),
                Arguments.of(new AtomicLong(7), "7"),
                Arguments.of(true, "true"),
                Arguments.of('c', "c"),
                Arguments.of(uuid, uuid.toString()),
                Arguments.of(Level.GOLD, "GOLD"),
                Arguments.of(Level.SILVER, "SILVER"),
                Arguments.of(LocalDate.of(2026, 1, 2), "2026-01-02"),
                Arguments.of(InetAddress.getByAddress("host", new byte[] {10, 0, 0, 1}), "10.0.0.1"),
                Arguments.of((Principal) () -> "anna", "anna"),
                Arguments.of(String.class, "java.lang.String"),
                Arguments.of(Optional.of(42), "42"),
                Arguments.of(OptionalLong.of(42), "42"),
                Arguments.of(OptionalInt.of(42), "42"));
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void scalarIsItsText(Object value, String text) {
        assertThat(KeyText.of(value, SITE)).isEqualTo(text);
    }

    static Stream<Arguments> composites() {
        Map<String, Integer> map = new HashMap<>(Map.of("b", 2, "a", 1));
        return Stream.of(
                Arguments.of(List.of("a", 1), "[a,1]"),
                Arguments.of(new Object[] {"a", 1}, "[a,1]"),
                Arguments.of(new int[] {1, 2}, "[1,2]"),
                Arguments.of(List.of(List.of("a"), "b"), "[[a],b]"),
                Arguments.of(new LinkedHashSet<>(List.of("b", "a")), "[a,b]"),
                Arguments.of(map, "[[a,1],[b,2]]"),
                Arguments.of(Map.entry("a", 1), "[a,1]"),
                Arguments.of(Optional.of(List.of("a")), "[a]"),
                Arguments.of(new byte[] {10, -1}, "[byte|0aff]"),
                Arguments.of(new Tenant("1"), "[" + Tenant.class.getName() + "|1]"),
                Arguments.of(new Customer("c", 3, true), "[io.github.ratelimit.expression.Shop$Customer|c,3,true]"));
    }

    @ParameterizedTest
    @MethodSource("composites")
    void compositeIsItsParts(Object value, String text) {
        assertThat(KeyText.of(value, SITE)).isEqualTo(text);
    }

    @Test
    void whatDiffersDoesNotCollide() {
        List<Object> different = List.of(
                "a,b",
                "[a,b]",
                "\\[a,b]",
                "a|b",
                List.of("a,b"),
                List.of("a", "b"),
                List.of("a\\", "b"),
                List.of("a\\,b"),
                List.of("[a", "b]"),
                List.of(List.of("a", "b")),
                List.of(List.of("a"), "b"),
                List.of("a", List.of("b")),
                List.of("b", "a"),
                List.of("[a,b]"),
                List.of("byte|0a"),
                new byte[] {10},
                List.of(new byte[] {10}),
                "[byte|0a]",
                "0a",
                new Tenant("1"),
                new User("1"),
                List.of("1"),
                "1",
                "[" + Tenant.class.getName() + "|1]",
                List.of(Tenant.class.getName() + "|1"),
                new Pair("a", List.of("b", "c")),
                new Pair(List.of("a", "b"), "c"));

        List<String> texts =
                different.stream().map(value -> KeyText.of(value, SITE)).toList();

        assertThat(texts).doesNotHaveDuplicates();
    }

    @Test
    void hostilePartsNeverMakeTwoListsOne() {
        Random random = new Random(1);
        Map<String, List<Object>> seen = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            List<Object> value = hostile(random, 2);
            List<Object> other = seen.putIfAbsent(KeyText.of(value, SITE), value);
            assertThat(other == null || other.equals(value))
                    .as("%s and %s", value, other)
                    .isTrue();
        }
        assertThat(seen).hasSizeGreaterThan(10_000);
    }

    private static List<Object> hostile(Random random, int depth) {
        List<Object> parts = new ArrayList<>();
        for (int size = 1 + random.nextInt(3); size > 0; size--) {
            if (depth > 0 && random.nextInt(4) == 0) {
                parts.add(hostile(random, depth - 1));
            } else {
                StringBuilder text = new StringBuilder();
                for (int length = 1 + random.nextInt(3); length > 0; length--) {
                    text.append("a\\,[]|".charAt(random.nextInt(6)));
                }
                parts.add(text.toString());
            }
        }
        return parts;
    }

    static Stream<Arguments> unfit() {
        Object proxied = new Object();
        Object proxy = Proxy.newProxyInstance(
                KeyTextTests.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (self, method, arguments) -> method.invoke(proxied, arguments));
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        return Stream.of(
                Arguments.of(null, "is null"),
                Arguments.of("", "is blank"),
                Arguments.of(" \t", "is blank"),
                Arguments.of(Optional.empty(), "is null"),
                Arguments.of(OptionalLong.empty(), "is null"),
                Arguments.of(OptionalInt.empty(), "is null"),
                Arguments.of((Principal) () -> nothing(), "is null"),
                Arguments.of(Arrays.asList("a", null), "has a part that is null"),
                Arguments.of(List.of("a", " "), "has a part that is blank"),
                Arguments.of(new Pair("a", null), "has a part that is null"),
                Arguments.of(List.of(), "is empty"),
                Arguments.of(List.of("a", List.of()), "has a part that is empty"),
                Arguments.of(new byte[0], "is empty"),
                Arguments.of(Collections.emptyMap(), "is empty"),
                Arguments.of(endless, "nested too deeply"),
                Arguments.of(CompletableFuture.completedFuture("a"), "whose value is not there yet"),
                Arguments.of(Mono.just("a"), "whose value is not there yet"),
                Arguments.of(List.of("a", Flux.just("b")), "whose value is not there yet"),
                Arguments.of(new Object(), "is a java.lang.Object, which has no text of its own"),
                Arguments.of(List.of(new Object()), "which has no text of its own"),
                Arguments.of(proxy, "which has no text of its own"));
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // what users' code does all the same
    private static String nothing() {
        return null;
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void neverAKeyOfNothingNorOneOfEachInstance(@Nullable Object value, String problem) {
        assertThatThrownBy(() -> KeyText.of(value, SITE))
                .isInstanceOf(InvalidRateLimitKeyException.class)
                .hasMessageStartingWith("Shop.order(String): key = \"#value\" ")
                .hasMessageContaining(problem);
    }

    @Test
    void equalSetsAreOneKeyInWhateverOrder() {
        Set<Object> one = new LinkedHashSet<>(List.of("a", "b", 3));
        Set<Object> other = new LinkedHashSet<>(List.of(3, "b", "a"));

        assertThat(KeyText.of(one, SITE)).isEqualTo(KeyText.of(other, SITE));
    }
}
