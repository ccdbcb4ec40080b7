/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.api.Test;

/** Every sequence of the vectors' directory is answered as written, by every store. */
@WithRedis
class ConformanceTests {

    @Test
    void everyStoreAnswersEverySequenceAsWritten(RedisServer redis) {
        Tally tally = Tally.everywhere(Vectors.in(Vectors.directory()), redis);
        tally.report().forEach(System.out::println);
        assertThat(tally.mismatches()).isEmpty();
    }
}
