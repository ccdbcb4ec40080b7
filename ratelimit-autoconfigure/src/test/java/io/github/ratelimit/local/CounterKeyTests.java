/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterKeyTests {

    private static final CounterKey KEY = new CounterKey("orders", "tb1", "ann");

    private static final List<CounterKey> OTHERS = List.of(
            new CounterKey("mails", "tb1", "ann"),
            new CounterKey("orders", "ti1", "ann"),
            new CounterKey("orders", "tb1", "bob"));

    @Test
    void isWhoseCounterOfWhichLimitAndShape() {
        Limit limit = Kind.FIXED_WINDOW
                .named("orders")
                .permits(1)
                .period(Duration.ofSeconds(2))
                .build();

        assertThat(new CounterKey(limit, "ann")).isEqualTo(new CounterKey("orders", "fw1-2000", "ann"));
        assertThat(new CounterKey(limit, "ann").shared()).isEqualTo(new CounterKey("orders", "fw1-2000", ""));
    }

    @Test
    void differsInEveryPart() {
        CounterKey same = new CounterKey("orders", "tb1", "ann");

        assertThat(KEY).isEqualTo(same).hasSameHashCodeAs(same).isEqualByComparingTo(same);
        assertThat((Object) KEY).isNotEqualTo("orders");
        for (CounterKey other : OTHERS) {
            assertThat(KEY).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
            assertThat(KEY.compareTo(other)).isNotZero().isEqualTo(-other.compareTo(KEY));
        }
    }

    @Test
    void isOrderedByKeyFirst() {
        assertThat(new CounterKey("z", "z", "a")).isLessThan(new CounterKey("a", "a", "b"));
        assertThat(new CounterKey("a", "z", "a")).isLessThan(new CounterKey("b", "a", "a"));
    }
}
