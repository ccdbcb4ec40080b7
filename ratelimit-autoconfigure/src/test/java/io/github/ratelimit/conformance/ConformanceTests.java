/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every sequence of the vectors' directory is answered as written, by every store. */
@WithRedis
class ConformanceTests {

    @Test
    void everyStoreAnswersEverySequenceAsWritten(RedisServer redis) {
        Tally tally = new Tally(Vectors.in(Vectors.directory()));
        List<Supplier<StoreUnderTest>> stores =
                List.of(Stores::local, () -> Stores.lettuce(redis), () -> Stores.jedis(redis));
        for (Supplier<StoreUnderTest> open : stores) {
            try (StoreUnderTest store = open.get()) {
                tally.runOn(store);
            }
        }
        tally.report().forEach(System.out::println);
        assertThat(tally.mismatches()).isEmpty();
    }
}
