/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.annotation.RateLimited;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** A key that is reset is unused on every plan, also where only a method knows which one it is counted on. */
class ResetTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitEndpointAutoConfiguration.class))
            .withUserConfiguration(Reports.class)
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=ratelimits",
                    "ratelimit.store=local",
                    "ratelimit.limits.reports.algorithm=fixed-window",
                    "ratelimit.limits.reports.anchor=first-call",
                    "ratelimit.limits.reports.permits=1",
                    "ratelimit.limits.reports.period=1h",
                    "ratelimit.limits.reports.plans.daily.period=24h");

    @Test
    void byCode() {
        isForgotten(context -> context.getBean(RateLimiter.class).reset("reports", "acme"));
        isForgotten(context -> context.getBean(ReactiveRateLimiter.class)
                .reset("reports", "acme")
                .block());
    }

    @Test
    void byTheEndpoint() {
        isForgotten(context -> assertThat(context.getBean(RateLimitsEndpoint.class)
                        .delete(new String[] {"Reports", "key"}, "acme", null)
                        .getBody())
                .containsEntry("limit", "reports"));
    }

    @Test
    void ofALimitThatIsThere() {
        application.run(context -> assertThatThrownBy(
                        () -> context.getBean(RateLimiter.class).reset("nosuch", "acme"))
                .isInstanceOf(UnknownLimitException.class));
    }

    private void isForgotten(Consumer<ApplicationContext> reset) {
        application.run(context -> {
            Reports reports = context.getBean(Reports.class);
            reports.hourly("acme");
            reports.daily("acme");
            assertThatThrownBy(() -> reports.hourly("acme")).isInstanceOf(RateLimitExceededException.class);
            assertThatThrownBy(() -> reports.daily("acme")).isInstanceOf(RateLimitExceededException.class);

            reset.accept(context);

            reports.hourly("acme");
            reports.daily("acme");
        });
    }

    static class Reports {

        @RateLimited(name = "reports", key = "#tenant")
        public void hourly(String tenant) {}

        @RateLimited(name = "reports", key = "#tenant", plan = "'daily'")
        public void daily(String tenant) {}
    }
}
