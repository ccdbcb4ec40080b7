/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.tuning.AdaptiveLimits;
import io.github.ratelimit.tuning.CpuLoad;
import io.github.ratelimit.tuning.LimitCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Limits that follow the load, in an application. */
@ExtendWith(OutputCaptureExtension.class)
class AdaptiveTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class))
            .withPropertyValues(
                    "ratelimit.store=local",
                    "ratelimit.limits.orders.permits=600",
                    "ratelimit.limits.orders.burst=60",
                    "ratelimit.limits.plain.permits=7");

    private final ApplicationContextRunner adaptive =
            application.withPropertyValues("ratelimit.limits.orders.adaptive.min-permits=50");

    @Test
    void followTheLoadThatTheApplicationMeasuresAndShowTheirPresentPermits() {
        adaptive.withBean(CpuLoad.class, () -> () -> 0.95)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(permits(registry, "orders")).isEqualTo(600);
                    assertThat(permits(registry, "plain")).isEqualTo(7);

                    await().atMost(Duration.ofSeconds(10))
                            .untilAsserted(() ->
                                    assertThat(permits(registry, "orders")).isEqualTo(300));
                    assertThat(context.getBean(LimitCatalog.class)
                                    .base("orders")
                                    .limit()
                                    .burst())
                            .isEqualTo(30);
                    assertThat(permits(registry, "plain")).isEqualTo(7);
                });
    }

    @Test
    void readTheLoadOfThisMachine() {
        CpuLoad cpu = SystemCpu.load();

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(cpu.now()).isBetween(0.0, 1.0));
    }

    @Test
    void haveAThreadWhileTheApplicationRunsAndOnlyWhereOneIsAdaptive() {
        application.run(context -> assertThat(isReading()).isFalse());
        adaptive.withPropertyValues("ratelimit.enabled=false")
                .run(context -> assertThat(isReading()).isFalse());
        adaptive.run(context -> {
            assertThat(isReading()).isTrue();
            AdaptiveLifecycle lifecycle = context.getBean(AdaptiveLifecycle.class);
            assertThat(lifecycle.isRunning()).isTrue();
            lifecycle.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            await().until(() -> !isReading());
            lifecycle.start();
            assertThat(isReading()).isTrue();
        });
        await().until(() -> !isReading());
    }

    /** Properties may change before the application has started, and while it stops. */
    @Test
    void haveNoThreadForChangedPropertiesOfAnApplicationThatDoesNotRun() {
        adaptive.run(context -> {
            context.getBean(AdaptiveLifecycle.class).stop();
            await().until(() -> !isReading());
            LimitCatalog catalog = context.getBean(LimitCatalog.class);

            context.getBean(AdaptiveLifecycle.class).changed();
            new AdaptiveLifecycle(new AdaptiveLimits(catalog, () -> 0.5), true).changed();

            assertThat(isReading()).isFalse();
        });
    }

    @Test
    void areToldInTheLineOfTheStart(CapturedOutput output) {
        adaptive.withBean(Orders.class).run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains(
                        "burst 60 (limits.orders), adaptive down to 50 permits when the CPU is above 0.8, counted per instance (store), key #tenant");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "high-cpu=0.9        | min-permits | is stated nowhere",
                "min-permits=0       | min-permits | allows nothing",
                "min-permits=600     | min-permits | leaves nothing to adapt",
                "min-permits=1,high-cpu=1.5 | high-cpu | is no load",
                "min-permits=1,low-cpu=-0.1 | low-cpu  | is no load",
                "min-permits=1,low-cpu=0.8  | low-cpu  | is not below high-cpu, 0.8",
                "min-permits=1,height=0.8   | height   | ratelimit.limits.orders.adaptive"
            })
    void stopTheStartWhereTheyCannotWork(String stated, String attribute, String problem) {
        String[] properties = Arrays.stream(stated.split(","))
                .map(property -> "ratelimit.limits.orders.adaptive." + property)
                .toArray(String[]::new);

        application.withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            assertThat(rootCause(context.getStartupFailure()))
                    .hasMessageContaining(problem)
                    .hasMessageContaining(attribute);
        });
    }

    @Test
    void stopTheStartWhereTheNumbersDoNotShrinkTogether() {
        adaptive.withPropertyValues("ratelimit.limits.orders.permits=601")
                .run(context -> assertThat(rootCause(context.getStartupFailure()))
                        .hasMessageContaining("permits 601 and burst 60 do not shrink in one proportion")
                        .hasMessageContaining("Stated in ratelimit.limits.orders.adaptive.min-permits"));
    }

    @Test
    void stopTheStartWhereOthersWouldFindTheBucketEmpty() {
        adaptive.withPropertyValues("ratelimit.limits.orders.refill=interval")
                .run(context -> assertThat(rootCause(context.getStartupFailure()))
                        .hasMessageContaining("does not go with refill: interval"));
    }

    private static Throwable rootCause(Throwable failure) {
        return failure.getCause() == null ? failure : rootCause(failure.getCause());
    }

    private static double permits(MeterRegistry registry, String limit) {
        return registry.get("ratelimit.permits").tag("limit", limit).gauge().value();
    }

    private static boolean isReading() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("ratelimit-adaptive"));
    }

    static class Orders {

        @RateLimited(name = "orders", key = "#tenant")
        public void create(String tenant) {}
    }
}
