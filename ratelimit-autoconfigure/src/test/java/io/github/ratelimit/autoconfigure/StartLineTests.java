/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** At start one line per limited method says what applies, and where each number comes from. */
@ExtendWith(OutputCaptureExtension.class)
class StartLineTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withUserConfiguration(Orders.class)
            .withPropertyValues(
                    "ratelimit.store=local",
                    "ratelimit.defaults.permits=2",
                    "ratelimit.limits.orders.permits=600",
                    "ratelimit.limits.all.permits=9");

    @Test
    void saysWhatAppliesAndWhereEachNumberComesFrom(CapturedOutput output) {
        application.run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsPattern("INFO .*" + Orders.class.getName().replace("$", "\\$")
                        + "\\.create\\(String\\) is limited by 'orders': ")
                .contains("permits 600 (limits.orders)")
                .contains("period 10s (annotation)")
                .contains("key #tenant");
    }

    @Test
    void saysItInOneLineForEachMethod(CapturedOutput output) {
        application
                .withBean("again", Orders.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.toString().lines().filter(line -> line.contains(" is limited by ")))
                .hasSize(2)
                .anyMatch(line -> line.contains("Orders.both() is limited by 'orders-both'")
                        && line.contains("; and by 'all'")
                        && line.contains("one counter for everyone"));
    }

    @Test
    void warnsOfNumbersUnderANameThatIsNearlyTheOneOfALimit(CapturedOutput output) {
        application
                .withPropertyValues("ratelimit.limits.orders-bot.permits=9", "ratelimit.limits.else.permits=9")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("No method names the limit '")
                .contains("limit 'orders-bot' of the properties. Is it meant for 'orders-both', which has no property");
    }

    /** Of two short names almost any is near to the other. */
    @Test
    void doesNotWarnOfShortNamesThatHaveHalfTheirLettersInCommon(CapturedOutput output) {
        application
                .withUserConfiguration(Brief.class)
                .withPropertyValues("ratelimit.limits.g1.permits=9", "ratelimit.limits.swc.permits=9")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("is limited by 'ca'").doesNotContain("No method names");
    }

    @Test
    void saysNothingWhenSwitchedOff(CapturedOutput output) {
        application
                .withPropertyValues("ratelimit.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain(" is limited by ");
    }

    static class Orders {
        @RateLimited(name = "orders", period = "10s", key = "#tenant")
        public void create(String tenant) {}

        @RateLimited
        @RateLimited("all")
        public void both() {}
    }

    static class Brief {
        @RateLimited(name = "ca", permits = 5, period = "1s")
        @RateLimited(name = "fbc", permits = 5, period = "1s")
        public void brief() {}
    }
}
