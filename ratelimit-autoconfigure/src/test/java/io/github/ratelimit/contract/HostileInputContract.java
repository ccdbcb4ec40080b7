/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that try to be somebody else's, and input that is wrong. */
interface HostileInputContract extends StoreFixture {

    /** Keys that an escaping, a digest or an encoding might confuse. */
    static List<String> hostileKeys() {
        String long1 = "x".repeat(1 << 20);
        return List.of(
                "",
                "*",
                "**",
                "{*}",
                "{}",
                "{",
                "}",
                "}{",
                "{}{}",
                "{a}",
                "a",
                "a}",
                "{a",
                "a}:{a",
                "%",
                "%%",
                "%7B",
                "%7D",
                "%7d",
                "%25",
                "%257D",
                "%00",
                "%2A",
                "*%",
                "#",
                "##",
                "#a",
                " ",
                "  ",
                "\t",
                "\n",
                "\r\n",
                "a b",
                "a\nb",
                "a\u0000b",
                "\u0000",
                "a\u0000",
                "\\",
                "\\u0000",
                "\"",
                "'",
                ":",
                "a:b",
                "a::b",
                "é",
                "e\u0301",
                "😀",
                "\uD83D",
                "\uDE00",
                "\uD83Dx",
                "\uDE00\uD83D",
                "\uFFFD",
                "?",
                "??",
                "null",
                "\u202E",
                "ａ",
                "A",
                long1,
                long1 + "x",
                "y" + long1,
                long1 + "\uD83D",
                long1 + "?",
                "x".repeat(99),
                "x".repeat(100),
                "x".repeat(101),
                "x".repeat(127),
                "x".repeat(128),
                "x".repeat(129),
                "x".repeat(255),
                "x".repeat(256),
                "x".repeat(257),
                "x".repeat(1_000),
                "}".repeat(1_000));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void noTwoKeysAreTakenForOne(boolean digested) {
        List<String> keys = new ArrayList<>(hostileKeys());
        Limit limit = Kind.TOKEN_BUCKET
                .named(freshName())
                .permits(1_000)
                .digestKeys(digested)
                .build();
        Caller caller = caller();
        for (int i = 0; i < keys.size(); i++) {
            caller.take(Charge.of(limit, keys.get(i), i + 1));
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(caller.state(limit, keys.get(i)).remaining())
                    .as("key %d, %.20s", i, keys.get(i))
                    .isEqualTo(1_000 - i - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void everyOperationTakesEveryKey(Kind kind) {
        Limit limit = perSecond(kind, 5);
        Caller caller = caller();
        for (String key : hostileKeys()) {
            caller.take(kind.charge(limit, key, 2), kind.charge(limit, key + "'", 1));
            caller.cancel(caller.reserve(kind.charge(limit, key, 1)));
            caller.acquireUpTo(Charge.of(limit, key, 1));
            caller.refund(Charge.of(limit, key, 1));
            caller.lock(limit, key, A_SECOND);
            caller.refused(kind.charge(limit, key, 1));
            caller.reset(limit, key);
            caller.reset(limit, key + "'");
            assertThat(caller.state(limit, key).remaining()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void digestedKeysCountLikeAnyOther(Kind kind) {
        Limit limit = kind.named(freshName())
                .permits(2)
                .period(A_SECOND)
                .digestKeys(true)
                .build();
        Caller caller = caller();
        caller.take(kind.charge(limit, KEY, 2));
        caller.refused(kind.charge(limit, KEY, 1));
        assertThat(caller.state(limit, "bob").remaining()).isEqualTo(2);
        caller.reset(limit, KEY);
        caller.take(kind.charge(limit, KEY, 2));
    }

    @ParameterizedTest
    @EnumSource
    default void aNegativeCostIsRefusedByName(Kind kind) {
        Limit limit = perSecond(kind, 5);
        assertThatThrownBy(() -> Charge.of(limit, KEY, -7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-7")
                .hasMessageContaining(limit.name());
        assertThatThrownBy(() -> Charge.of(limit, KEY, 1).waiting(-9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-9");
    }

    @ParameterizedTest
    @EnumSource
    default void aCallWithoutChargesIsRefused(Kind kind) {
        Caller caller = caller();
        caller.take(kind.charge(perSecond(kind, 5), KEY, 1));
        assertThatThrownBy(caller::acquire).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(caller::reserve).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(caller::peek).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(caller::refund).isInstanceOf(IllegalArgumentException.class);
    }
}
