/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import org.junit.jupiter.api.Test;

/** What is written in Java and what is written in Lua answer alike, in every field, whatever the history. */
@WithRedis
class ParityTests {

    private static final int STEPS = Integer.getInteger("ratelimit.parity.steps", 200_000);
    private static final int STEPS_OF_A_HISTORY = 80;
    private static final long SEED = Long.getLong("ratelimit.parity.seed", 20_261_118);

    @Test
    void luaAnswersAsJava(RedisServer redis) {
        try (StoreUnderTest lua = Stores.jedis(redis)) {
            Parity locked = new Parity(Stores::local, lua);
            Parity open = new Parity(Stores::openLocal, lua);
            for (int history = 0; history < STEPS / STEPS_OF_A_HISTORY; history++) {
                (history % 2 == 0 ? locked : open).check(History.of(SEED + history), STEPS_OF_A_HISTORY);
            }
        }
    }

    @Test
    void luaAnswersAsJavaWhereItIsHard(RedisServer redis) {
        try (StoreUnderTest lua = Stores.jedis(redis)) {
            new Parity(Stores::local, lua).checkHardCases();
            new Parity(Stores::openLocal, lua).checkHardCases();
        }
    }
}
