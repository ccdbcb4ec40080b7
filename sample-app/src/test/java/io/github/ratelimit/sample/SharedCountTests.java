/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every instance of an application shares the count, on whichever stack. */
@WithRedis
class SharedCountTests {

    @Test
    void twoJvmsGrantNoMoreThanOne(RedisServer redis) throws Exception {
        try (Instance one = Instance.start(redis);
                Instance other = Instance.start(redis, "--spring.profiles.active=reactive")) {
            List<Integer> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(one.http().post("/tenants/acme/orders").statusCode());
                answers.add(other.http().post("/tenants/acme/orders").statusCode());
            }

            assertThat(answers.subList(0, 5)).containsOnly(200);
            assertThat(Collections.frequency(answers, 200)).isEqualTo(5);
            assertThat(Collections.frequency(answers, 429)).isEqualTo(5);
        }
    }
}
