/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.micrometer.context.ContextRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Stages are decided at the call, and what had to wait goes on as the caller, on the application's task executor. */
class StageReturnTests {

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
            .withPropertyValues(
                    "ratelimit.limits.slow.permits=1",
                    "ratelimit.limits.slow.period=300ms",
                    "ratelimit.limits.hour.permits=1",
                    "ratelimit.limits.hour.period=1h");

    @Test
    void runsTheMethodAtOnceOnTheCallersThread() {
        application.run(context -> {
            CompletableFuture<String> stage = context.getBean(Orders.class).thread("acme");
            assertThat(stage).isCompletedWithValue(Thread.currentThread().getName() + " for null");
        });
    }

    @Test
    void failsTheStageOfADeniedCallAndDoesNotRunTheMethod() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.counted("acme");
            orders.counted("acme");
            assertThatThrownBy(
                            () -> orders.counted("acme").toCompletableFuture().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(RateLimitExceededException.class);
            assertThat(orders.ran()).isEqualTo(2);
        });
    }

    @Test
    void failsTheStageOfACallWithoutAKey() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.counted(" ").toCompletableFuture().join())
                    .hasCauseInstanceOf(InvalidRateLimitKeyException.class);
            assertThat(orders.ran()).isZero();
        });
    }

    @Test
    void goesOnAsTheCallerOnTheTaskExecutorAfterAWait() {
        ContextRegistry.getInstance().registerThreadLocalAccessor("gate-user", USER);
        try {
            application.run(context -> {
                Orders orders = context.getBean(Orders.class);
                orders.thread("acme").join();
                USER.set("alice");
                CompletableFuture<String> stage = orders.thread("acme");
                USER.remove();
                assertThat(stage).isNotDone();
                assertThat(stage.get(30, TimeUnit.SECONDS)).startsWith("task-").endsWith(" for alice");
            });
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor("gate-user");
        }
    }

    /** A caller who is never answered is worse off than one who is answered as nobody. */
    @Test
    void goesOnAsNobodyWhereTheCallerCannotBeRestored() {
        ContextRegistry.getInstance().registerThreadLocalAccessor("gate-user", USER);
        ContextRegistry.getInstance()
                .registerThreadLocalAccessor(
                        "gate-broken",
                        () -> "alice",
                        user -> {
                            throw new IllegalStateException("cannot be set");
                        },
                        () -> {});
        try {
            application.run(context -> {
                Orders orders = context.getBean(Orders.class);
                orders.thread("acme").join();
                USER.set("alice");
                CompletableFuture<String> stage = orders.thread("acme");
                USER.remove();
                assertThat(stage.get(30, TimeUnit.SECONDS)).endsWith(" for null");
            });
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor("gate-broken");
            ContextRegistry.getInstance().removeThreadLocalAccessor("gate-user");
        }
    }

    @Test
    void givesBackWhenAWaitIsCancelled() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.hourly().join();
            CompletableFuture<String> waiting = orders.hourly();
            assertThat(waiting).isNotDone();
            waiting.cancel(true);
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.refund("hour", "everyone", 1);
            await().untilAsserted(() ->
                    assertThat(limiter.tryAcquire("hour", "everyone").passes()).isTrue());
            assertThat(orders.ran()).isEqualTo(1);
        });
    }

    @Test
    void handsCancellingOnToTheMethodsOwnFuture() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> first = orders.never();
            assertThat(first).isNotDone();
            CompletableFuture<String> stage = orders.never();
            await().until(() -> orders.ran() == 2);
            stage.cancel(true);
            assertThat(orders.own()).isCancelled();
        });
    }

    @Test
    void leavesWhatTheMethodThrowsAsItIs() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.broken(true));
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.broken(false));
        });
    }

    static class Orders {

        private final AtomicInteger ran = new AtomicInteger();
        private volatile CompletableFuture<String> own = new CompletableFuture<>();

        @RateLimited(name = "slow", key = "#tenant", maxWait = "5s")
        public CompletableFuture<String> thread(String tenant) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName() + " for " + USER.get());
        }

        @RateLimited(key = "#tenant")
        public CompletionStage<String> counted(String tenant) {
            ran.incrementAndGet();
            return CompletableFuture.completedStage(tenant);
        }

        @RateLimited(name = "hour", key = "'everyone'", maxWait = "1h")
        public CompletableFuture<String> hourly() {
            ran.incrementAndGet();
            return CompletableFuture.completedFuture("ran");
        }

        @RateLimited(name = "slow", maxWait = "5s")
        public CompletableFuture<String> never() {
            own = new CompletableFuture<>();
            ran.incrementAndGet();
            return own;
        }

        @RateLimited(condition = "#counted")
        public CompletableFuture<String> broken(boolean counted) {
            throw new IllegalStateException("the method's own");
        }

        CompletableFuture<String> own() {
            return own;
        }

        int ran() {
            return ran.get();
        }
    }
}
