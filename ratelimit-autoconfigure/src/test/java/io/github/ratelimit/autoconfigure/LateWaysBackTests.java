/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.redis.RedisTransport;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** As the wiring puts it together, the cache of denials hears what Redis does after its caller was told that it did not. */
class LateWaysBackTests {

    private static final String KEY = "alice";
    private static final Limit LIMIT = Kind.TOKEN_BUCKET
            .named("orders")
            .permits(1)
            .period(Duration.ofHours(1))
            .build();

    private final CompletableFuture<Void> deleted = new CompletableFuture<>();

    /** A way to counters that are used up for an hour, and are deleted when the test says so. */
    private RedisTransport redis() {
        return (RedisTransport) Proxy.newProxyInstance(
                RedisTransport.class.getClassLoader(),
                new Class<?>[] {RedisTransport.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "run" -> CompletableFuture.completedFuture(reply((byte[][]) arguments[1]));
                    case "delete" -> deleted;
                    case "isClustered" -> false;
                    default -> InvocationHandler.invokeDefault(proxy, method, arguments);
                });
    }

    /** Before the application is ready a counter is looked at that nobody uses. */
    private static List<Long> reply(byte[][] keys) {
        boolean isOurs = new String(keys[0], StandardCharsets.UTF_8).contains(KEY);
        return isOurs ? List.of(-1 - LIMIT.periodMicros()) : List.of(0L, 0L, 0L, 0L, 0L);
    }

    @Test
    void aResetThatHappensLateIsHeardByTheCacheOfDenials() {
        try (ApplicationStore application = new ApplicationStore(
                new RedisRateLimitStore(redis(), "test"),
                "nowhere",
                Map.of("ratelimit.store-timeout", "50ms"),
                StoreHealth.NONE)) {
            RateLimitStore store = application.store();
            CompletionStage<Void> reset = store.reset(LIMIT, KEY);
            assertThat(reset.toCompletableFuture().handle((done, tooLate) -> tooLate))
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isNotNull();
            Eventually.until("a denial came in time, and is known", Duration.ofSeconds(30), () -> {
                Stages.await(store.acquire(List.of(Charge.of(LIMIT, KEY, 1))));
                return store.knownDenial(LIMIT, KEY, 1) != null;
            });
            deleted.complete(null);
            assertThat(store.knownDenial(LIMIT, KEY, 1)).isNull();
        }
    }
}
