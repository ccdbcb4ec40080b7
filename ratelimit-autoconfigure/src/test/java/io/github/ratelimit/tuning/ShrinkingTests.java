/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers made smaller in one proportion. */
@WithRedis
class ShrinkingTests {

    private static final long SECOND = 1_000_000;

    private final RedisServer redis;

    ShrinkingTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @CsvSource({
        "600, 50, 500000, 300, 25",
        "600, 50, 499999, 288, 24",
        "600, 600, 333333, 199, 199",
        "600, 50, 1, 12, 1",
        "600, 50, 1000000, 600, 50",
        "1000000, 1000000, 1, 1, 1"
    })
    void bucketsKeepTheirProportion(long permits, long burst, int share, long fewerPermits, long smallerBurst) {
        Limit shrunk = new Shrinking(bucket(permits, burst)).at(share);

        assertThat(shrunk.permits()).isEqualTo(fewerPermits);
        assertThat(shrunk.burst()).isEqualTo(smallerBurst);
    }

    @Test
    void numbersWithoutACommonDivisorAndThoseBeyondAMillionStay() {
        assertThat(new Shrinking(bucket(601, 50)).canShrink()).isFalse();
        Limit large = Limit.named("orders")
                .permits(10_000_000)
                .period(Duration.ofSeconds(1))
                .build();
        assertThat(new Shrinking(large).canShrink()).isFalse();
        assertThat(new Shrinking(large).at(1)).isEqualTo(large);
    }

    @ParameterizedTest
    @CsvSource({"600, 50, 50, 60", "600, 50, 60, 60", "600, 50, 1, 12", "600, 600, 7, 7", "20, 20, 30, 20"})
    void theLowestShareLeavesTheFewestPermits(long permits, long burst, long fewest, long left) {
        Shrinking numbers = new Shrinking(bucket(permits, burst));

        assertThat(numbers.at(numbers.lowestShare(fewest)).permits()).isEqualTo(left);
        assertThat(numbers.at(Math.max(0, numbers.lowestShare(fewest) - 1)).permits())
                .isLessThanOrEqualTo(left);
    }

    /** For hours, not only while numbers change: each instance asks for what its own load allows. */
    @ParameterizedTest
    @EnumSource(names = "TOKEN_BUCKET_INTERVAL", mode = EnumSource.Mode.EXCLUDE)
    void instancesAtDifferentSharesAdmitNoMoreThanTheWhole(Kind kind) {
        try (StoreUnderTest store = Stores.lettuce(redis)) {
            var whole = kind.named("shrunk-" + UUID.randomUUID())
                    .permits(60)
                    .period(Duration.ofSeconds(60))
                    .burst(kind.isBucket() ? 12L : null)
                    .build();
            Limit[] shares = {whole, new Shrinking(whole).at(500_000), new Shrinking(whole).at(333_333), whole};
            long start = 1_800_000_000L * SECOND;
            Caller caller = new Caller(store, start);
            long granted = 0;
            for (int i = 0; i < 1_200; i++) {
                Charge call = Charge.of(shares[i % shares.length], "acme", 1);
                granted += caller.at(start + i * SECOND / 20).acquire(call).passes() ? 1 : 0;
            }
            assertThat(granted).isLessThanOrEqualTo(kind.isBucket() ? 12 + 60 : 60);
            assertThat(granted).isGreaterThanOrEqualTo(30);
        }
    }

    private static Limit bucket(long permits, long burst) {
        return Limit.named("orders")
                .permits(permits)
                .period(Duration.ofMinutes(1))
                .burst(burst)
                .build();
    }
}
