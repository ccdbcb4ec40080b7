/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** A method is limited per key, whatever it returns. */
class LimitedMethodTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withBean(Orders.class)
            .withPropertyValues(
                    "ratelimit.store=local", "ratelimit.defaults.permits=2", "ratelimit.defaults.period=1h");

    @Test
    void countsPerKeyWithNumbersFromThePropertiesOnly() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.create("acme")).isEqualTo("order of acme");
            assertThat(orders.create("acme")).isEqualTo("order of acme");
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> orders.create("acme"))
                    .satisfies(e -> assertThat(e.denied().reason()).isEqualTo(DenialReason.PERMITS_SPENT))
                    .satisfies(e -> assertThat(e.denied().limit()).isEqualTo("orders-create"));
            assertThat(orders.create("umbrella")).isEqualTo("order of umbrella");
        });
    }

    @Test
    void decidesAStageAtTheCallAndFailsItWhenDenied() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.later("acme").join()).isEqualTo("later");
            assertThat(orders.later("acme").join()).isEqualTo("later");
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> orders.later("acme").join())
                    .withCauseInstanceOf(RateLimitExceededException.class);
        });
    }

    @Test
    void decidesAMonoForEachSubscription() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Mono<String> mono = orders.reactive("acme");
            assertThat(mono.block()).isEqualTo("reactive");
            assertThat(mono.block()).isEqualTo("reactive");
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(mono::block);
        });
    }

    static class Orders {

        @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
        String create(String tenantId) {
            return "order of " + tenantId;
        }

        @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
        CompletableFuture<String> later(String tenantId) {
            return CompletableFuture.completedFuture("later");
        }

        @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
        Mono<String> reactive(String tenantId) {
            return Mono.just("reactive");
        }
    }
}
