/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;

/** Properties that change while the application runs, as Spring Cloud tells of them. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentRefreshTests {

    private final Map<String, Object> remote = new HashMap<>();

    @Test
    void putsNewNumbersInForceAndForgetsThoseRemoved() {
        run(context -> {
            remote.put("ratelimit.limits.orders.permits", "20");
            changed(context);
            assertThat(permits(context)).isEqualTo(20);

            remote.clear();
            changed(context);
            assertThat(permits(context)).isEqualTo(10);
        });
    }

    @Test
    void keepsOverrides() {
        run(context -> {
            context.getBean(OverrideKeeper.class).put(new Target("orders", null), new Numbers(5L, null, null));
            remote.put("ratelimit.limits.orders.permits", "20");
            changed(context);
            assertThat(permits(context)).isEqualTo(5);

            context.getBean(OverrideKeeper.class).remove("orders", null);
            assertThat(permits(context)).isEqualTo(20);
        });
    }

    @Test
    void keepsTheOldNumbersWhereTheNewAreInvalid(CapturedOutput output) {
        run(context -> {
            remote.put("ratelimit.limits.orders.permits", "0");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);

            remote.put("ratelimit.limits.orders.permits", "many");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);

            remote.clear();
            remote.put("ratelimit.limits.orders.permitz", "5");
            changed(context);
            assertThat(permits(context)).isEqualTo(10);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("ERROR")))
                .hasSize(3)
                .allMatch(line -> line.contains("the old ones hold"))
                .anyMatch(line -> line.contains("permits = 0"))
                .anyMatch(line -> line.contains("many"))
                .anyMatch(line -> line.contains("permitz"));
    }

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withInitializer(context ->
                        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("remote", remote)))
                .withPropertyValues("ratelimit.store=local", "ratelimit.limits.orders.permits=10")
                .run(test);
    }

    private static void changed(AssertableApplicationContext context) {
        context.publishEvent(new EnvironmentChangeEvent(context));
    }

    private static long permits(AssertableApplicationContext context) {
        return context.getBean(LimitCatalog.class).base("orders").limit().permits();
    }
}
