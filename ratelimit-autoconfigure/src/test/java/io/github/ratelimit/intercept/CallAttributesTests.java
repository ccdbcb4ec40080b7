/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertDenied;
import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static io.github.ratelimit.intercept.Gated.assertUnlimited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What each attribute does to a call, and who wins: the annotation or the properties. */
class CallAttributesTests {

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withPropertyValues(
                    "tenant.key=#order.customer.id",
                    "waiting.time=1h",
                    "ratelimit.limits.planned.permits=1",
                    "ratelimit.limits.planned.plans.gold.permits=3",
                    "ratelimit.limits.beaten.permits=7",
                    "ratelimit.limits.beaten.penalty=9s",
                    "ratelimit.limits.impatient.permits=1",
                    "ratelimit.limits.impatient.max-wait=1h");

    @Test
    void readsTheKeyAlongAPath() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertTwoCalls("orders-create", () -> orders.create(order("acme")));
            assertTwoCalls("orders-create", () -> orders.create(order("umbrella")));
        });
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  "})
    void refusesACallWithoutAKeyAndDoesNotRunIt(@Nullable String id) {
        application.run(context -> assertThatExceptionOfType(InvalidRateLimitKeyException.class)
                .isThrownBy(() -> context.getBean(Orders.class).create(order(id))));
    }

    @Test
    void refusesACallWithoutAKeyAlsoWhereItsLimitsOnlyWatch() {
        application
                .withPropertyValues("ratelimit.shadow=true")
                .run(context -> assertThatExceptionOfType(InvalidRateLimitKeyException.class)
                        .isThrownBy(() -> context.getBean(Orders.class).create(order(null))));
    }

    @Test
    void takesAsManyPermitsAsTheCostSays() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertUnlimited(() -> orders.batch(List.of()));
            orders.batch(List.of("a", "b"));
            assertDenied("orders-batch", () -> orders.batch(List.of("c")));
        });
    }

    @Test
    void countsOnlyWhereTheConditionHolds() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertUnlimited(() -> orders.conditional(false));
            assertTwoCalls("orders-conditional", () -> orders.conditional(true));
            assertUnlimited(() -> orders.conditional(false));
        });
    }

    @Test
    void countsByTheNumbersOfThePlan() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.planned("acme", "gold");
            orders.planned("acme", "gold");
            orders.planned("acme", "gold");
            assertDenied("planned", () -> orders.planned("acme", "gold"));
            orders.planned("umbrella", null);
            assertDenied("planned", () -> orders.planned("umbrella", null));
        });
    }

    @Test
    void takesWhatMakesTheLimitFromThePropertiesFirst() {
        application.run(context -> {
            Limit limit = context.getBean(Limits.class).numbersFor("beaten", null, "");
            assertThat(limit.permits()).isEqualTo(7);
            assertThat(limit.period()).isEqualTo(Duration.ofSeconds(10));
            assertThat(limit.burst()).isEqualTo(5);
            assertThat(limit.penalty()).isEqualTo(Duration.ofSeconds(9));
            assertThat(limit.onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        });
    }

    @Test
    void takesWhatConcernsTheCallFromTheAnnotationFirst() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.impatient();
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::impatient);
        });
    }

    @Test
    void deniesAtOnceWhatWouldWaitTooLong() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.patient();
            orders.patient();
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(orders::patient)
                    .satisfies(e -> assertThat(e.denied().reason()).isEqualTo(DenialReason.WAIT_TOO_LONG));
        });
    }

    private static Order order(@Nullable String id) {
        return new Order(new Customer(id));
    }

    record Customer(@Nullable String id) {}

    record Order(Customer customer) {}

    static class Orders {

        @RateLimited(key = "${tenant.key}")
        public void create(Order order) {}

        @RateLimited(cost = "#batch.size()")
        public void batch(List<String> batch) {}

        @RateLimited(condition = "#counted")
        public void conditional(boolean counted) {}

        @RateLimited(name = "planned", key = "#tenant", plan = "#plan")
        public void planned(String tenant, @Nullable String plan) {}

        @RateLimited(
                name = "beaten",
                permits = 3,
                period = "10s",
                burst = 5,
                penalty = "1s",
                onStoreFailure = FailurePolicy.DENY)
        public void beaten() {}

        @RateLimited(name = "impatient", maxWait = "0s")
        public void impatient() {}

        @RateLimited(permits = 2, period = "${waiting.time}", maxWait = "${patience:1s}")
        public void patient() {}
    }
}
