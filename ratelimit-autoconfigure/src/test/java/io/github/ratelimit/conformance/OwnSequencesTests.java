/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.api.Test;

/** The sequences in this repository, whatever other directory is asked for: every algorithm and every operation. */
@WithRedis
class OwnSequencesTests {

    @Test
    void everyStoreAnswersThemAsWrittenAndNoneIsUnsupported(RedisServer redis) {
        Tally tally = Tally.everywhere(Vectors.in(Vectors.own()), redis);
        assertThat(tally.mismatches()).isEmpty();
        assertThat(tally.unsupported()).isEmpty();
        assertThat(tally.report()).last().asString().startsWith("conformance: 144 sequences, 1291 steps, 0 mismatches");
    }
}
