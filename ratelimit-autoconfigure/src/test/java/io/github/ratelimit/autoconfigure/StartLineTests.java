/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static io.github.ratelimit.Algorithm.FIXED_WINDOW;
import static io.github.ratelimit.Algorithm.LEAKY_BUCKET;
import static io.github.ratelimit.Algorithm.SLIDING_WINDOW_LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.tuning.LimitCatalog;
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
    void saysFirstThatALimitIsOnlyWatched(CapturedOutput output) {
        application
                .withPropertyValues("ratelimit.limits.orders.shadow=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains(
                        "is limited by 'orders': only watched (limits.orders.shadow), token-bucket (defaults), permits")
                .contains("; and by 'all': token-bucket (defaults)")
                .doesNotContain("Every limit only watches");
    }

    @Test
    void warnsOnceThatNothingIsEnforced(CapturedOutput output) {
        application
                .withPropertyValues("ratelimit.shadow=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("is limited by 'orders': only watched (shadow), token-bucket (defaults), permits 600")
                .contains("; and by 'all': only watched (shadow), token-bucket")
                .containsOnlyOnce("Every limit only watches: nothing is denied, since ratelimit.shadow is true.")
                .containsPattern("WARN .*Every limit only watches");
    }

    @Test
    void saysWhatALimitHasBesidesItsNumbersAndWhoStatesIt(CapturedOutput output) {
        application
                .withUserConfiguration(Detailed.class)
                .withPropertyValues(
                        "ratelimit.limits.bucket.permits=5",
                        "ratelimit.limits.bucket.refill=interval",
                        "ratelimit.limits.bucket.max-wait=3s",
                        "ratelimit.limits.bucket.digest-keys=true",
                        "ratelimit.limits.bucket.on-store-failure=allow")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("is limited by 'bucket': token-bucket (defaults), permits 5 (limits.bucket), period 1m"
                        + " (defaults), burst 5 (permits), refill interval (limits.bucket), max-wait 3s (limits.bucket),"
                        + " penalty 30s (annotation), digest-keys true (limits.bucket), counted per instance (store),"
                        + " on-store-failure allow (limits.bucket), key #k, cost #n, plan #k, if #n > 0")
                .contains("is limited by 'bucket': token-bucket (defaults), permits 5 (limits.bucket), period 1m"
                        + " (defaults), burst 5 (permits), refill interval (limits.bucket), penalty 30s (annotation),"
                        + " digest-keys true (limits.bucket), counted per instance (store), on-store-failure allow"
                        + " (limits.bucket), max-wait 2s (annotation), one counter for everyone");
    }

    @Test
    void saysHowWindowsAndLeakyBucketsDifferFromUsual(CapturedOutput output) {
        application
                .withUserConfiguration(Windows.class)
                .withPropertyValues(
                        "ratelimit.on-store-failure=deny",
                        "ratelimit.limits.counter.algorithm=sliding-window-counter",
                        "ratelimit.limits.counter.slots=6",
                        "ratelimit.limits.counter.strict=false",
                        "ratelimit.limits.fixed.anchor=first-call",
                        "ratelimit.limits.leaky.pace=false",
                        "ratelimit.limits.log.large-log=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("period 1m (defaults), slots 6 (limits.counter), strict false (limits.counter), counted per"
                        + " instance (store), on-store-failure deny (on-store-failure), one counter")
                .contains("anchor first-call (limits.fixed), counted")
                .contains("pace false (limits.leaky), counted")
                .contains("large-log true (limits.log), counted");
    }

    @Test
    void saysOfWhatIsAsUsualNothing(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withBean(LocalRateLimitStore.class, () -> new LocalRateLimitStore(100))
                .withUserConfiguration(Orders.class)
                .withPropertyValues(
                        "ratelimit.defaults.permits=2",
                        "ratelimit.limits.orders.permits=2",
                        "ratelimit.limits.all.store=local")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("burst 2 (permits), key #tenant")
                .contains("burst 2 (permits), one counter for everyone; and by 'all'")
                .contains("burst 2 (permits), counted per instance (limits.all.store), one counter for everyone");
    }

    @Test
    void saysNothingOfAMethodThatNoProxyCanStandBefore(CapturedOutput output) {
        application
                .withUserConfiguration(HalfFinal.class)
                .run(context ->
                        assertThat(context.getBean(LimitCatalog.class).names()).doesNotContain("half-final-fixed"));
        assertThat(output)
                .containsOnlyOnce("HalfFinal.fixed() is final in a superclass and cannot be limited")
                .contains("HalfFinal.call() is limited by 'half-final-call'")
                .doesNotContain("HalfFinal.fixed() is limited by");
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

    static class Detailed {
        @RateLimited(name = "bucket", key = "#k", cost = "#n", plan = "#k", condition = "#n > 0", penalty = "30s")
        public void call(String k, int n) {}

        @RateLimited(name = "bucket", maxWait = "2s")
        public void waiting() {}
    }

    static class Windows {
        @RateLimited("counter")
        public void counter() {}

        @RateLimited(name = "fixed", algorithm = FIXED_WINDOW)
        public void fixed() {}

        @RateLimited(name = "leaky", algorithm = LEAKY_BUCKET)
        public void leaky() {}

        @RateLimited(name = "log", algorithm = SLIDING_WINDOW_LOG)
        public void log() {}
    }

    static class Fixed {
        public final void fixed() {}
    }

    @RateLimited
    static class HalfFinal extends Fixed {
        public void call() {}
    }
}
