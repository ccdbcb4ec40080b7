/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;

/** What the annotation states about the limit itself holds for its calls. */
class LimitAttributesTests {

    @Test
    void burstIsWhatABucketHolds() {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 3; i++) {
                orders.bursting();
            }
            assertThat(denied(orders::bursting).reason()).isEqualTo(DenialReason.PERMITS_SPENT);
        });
    }

    @Test
    void penaltyLocksTheKeyLongerThanTheCounterSays() {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.punishing();
            Denied denied = denied(orders::punishing);
            assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
            assertThat(denied.retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        });
    }

    @Test
    void onStoreFailureIsWhatHoldsWithoutRedis() {
        Gated.with(Orders.class)
                .withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "spring.application.name=orders",
                        // nothing listens there
                        "spring.data.redis.port=1")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    Gated.assertUnlimited(orders::allowing);
                    assertThat(denied(orders::denying).reason()).isEqualTo(DenialReason.STORE_UNAVAILABLE);
                    Gated.assertTwoCalls("orders-counting-here", orders::countingHere);
                });
    }

    private static Denied denied(Runnable call) {
        return assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(call::run)
                .actual()
                .denied();
    }

    static class Orders {

        @RateLimited(algorithm = Algorithm.TOKEN_BUCKET, permits = 1, period = "1h", burst = 3)
        public void bursting() {}

        @RateLimited(permits = 1, period = "1s", penalty = "1h")
        public void punishing() {}

        @RateLimited(onStoreFailure = FailurePolicy.ALLOW)
        public void allowing() {}

        @RateLimited(onStoreFailure = FailurePolicy.DENY)
        public void denying() {}

        @RateLimited(onStoreFailure = FailurePolicy.LOCAL)
        public void countingHere() {}
    }
}
