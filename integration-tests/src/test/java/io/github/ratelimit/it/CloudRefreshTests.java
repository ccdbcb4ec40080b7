/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.cloud.context.scope.refresh.RefreshScope;

/** A file that changes, as the line's Spring Cloud reads it anew, with everything it does to beans on the way. */
class CloudRefreshTests {

    @TempDir
    Path directory;

    @Test
    void newNumbersHoldFromTheNextCallAndRemovedOnesAreGone() throws IOException {
        Path file = directory.resolve("application.yml");
        Files.writeString(file, "ratelimit.limits.orders: { permits: 100, period: 1h, burst: 5 }");
        try (RunningApplication app = WebStack.SERVLET.start(
                Application.class,
                "spring.config.location=file:" + file,
                WebStack.WITH_CLOUD,
                "spring.application.name=cloud",
                "ratelimit.store=local")) {
            RateLimiter limiter = app.context().getBean(RateLimiter.class);
            LimitCatalog catalog = app.context().getBean(LimitCatalog.class);
            OverrideKeeper overrides = app.context().getBean(OverrideKeeper.class);
            overrides.put(new Target("orders", null), new Numbers(null, Duration.ofDays(1), null));
            assertThat(limiter.tryAcquire("orders", "acme", 6).passes()).isFalse();

            Files.writeString(file, "ratelimit.limits.orders: { permits: 20, period: 1h }");
            assertThat(app.context().getBean(ContextRefresher.class).refresh())
                    .containsExactlyInAnyOrder("ratelimit.limits.orders.permits", "ratelimit.limits.orders.burst");

            assertThat(limiter.tryAcquire("orders", "acme", 20).passes()).isTrue();
            assertThat(limiter.tryAcquire("orders", "acme").passes()).isFalse();
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofDays(1));

            app.context().getBean(RefreshScope.class).refreshAll();
            overrides.remove("orders", null);
            assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofHours(1));
        }
    }

    @EnableAutoConfiguration
    static class Application {}
}
