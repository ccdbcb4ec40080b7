/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.parity.History;
import io.github.ratelimit.parity.Parity;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisReplyException;
import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is changed in a script, somebody gets another answer than from the store in this JVM. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutantTests {

    private static final int MOST_HISTORIES = 300;
    private static final int STEPS = 80;

    /** After so many the hard cases are tried, which take longer. */
    private static final int FIRST_HISTORIES = 2;

    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.kill();
        redis.close();
    }

    private static List<Mutant> mutants() {
        return Mutant.all();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theMutantIsNoticed(Mutant mutant) {
        assertThat(mutant.occurrences()).as("places of:%n%s", mutant.original()).isOne();
        int unnoticed = unnoticed(mutant::in, mutant.kinds(), MOST_HISTORIES);
        assertThat(unnoticed).as("histories that did not notice").isLessThan(MOST_HISTORIES);
    }

    /** Else everything would be noticed. */
    @Test
    void theScriptsThemselvesAreNot() {
        List<Kind> kinds = List.of(Kind.values());
        assertThat(unnoticed(UnaryOperator.identity(), kinds, 50)).isEqualTo(50);
    }

    /** How many histories, of at most so many, go by before one shows a difference. */
    private int unnoticed(UnaryOperator<String> change, List<Kind> kinds, int most) {
        flush();
        RedisUnderTest changed = RedisUnderTest.on(redis, Client.Kind.JEDIS, change);
        try (ForgetfulRedis forgetful = new ForgetfulRedis(changed, false)) {
            Parity keeping = new Parity(Stores::local, changed);
            Parity losing = new Parity(Stores::local, forgetful);
            for (int seed = 0; seed < most; seed++) {
                if (!keeping.agrees(History.of(seed, kinds), STEPS)
                        || !losing.agrees(History.forwards(seed, kinds), STEPS)
                        || (seed == FIRST_HISTORIES && !keeping.agreesOnHardCases())) {
                    return seed;
                }
                forgetful.forgetAll();
            }
            return most;
        }
    }

    /** A mutant may still be running, for ever. */
    private void flush() {
        try {
            redis.flush();
        } catch (RedisReplyException busy) {
            redis.kill();
            redis.restart();
        }
    }
}
