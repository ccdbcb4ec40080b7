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
import java.util.stream.Stream;
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

    @Test
    void keepsLittleOfALongKey() {
        Limit limit = Kind.FIXED_WINDOW.named("orders").permits(1).build();
        String longest = "x".repeat(200);

        assertThat(new CounterKey(limit, longest).key()).isEqualTo(longest);
        assertThat(new CounterKey(limit, longest + "y").key()).hasSizeLessThan(100);
        assertThat(new CounterKey(limit, "x".repeat(100_000)).key()).hasSizeLessThan(100);
    }

    @Test
    void tellsLongKeysApartFromEachOtherAndFromShortOnes() {
        Limit limit = Kind.FIXED_WINDOW.named("orders").permits(1).build();
        String stem = "x".repeat(100_000);
        String kept = new CounterKey(limit, stem).key();

        assertThat(new CounterKey(limit, stem)).isEqualTo(new CounterKey(limit, stem));
        assertThat(Stream.of(stem, stem + "y", "y" + stem, stem + "\uD800", stem + "\uD801", stem + "?", kept)
                        .map(key -> new CounterKey(limit, key)))
                .doesNotHaveDuplicates();
    }
}
