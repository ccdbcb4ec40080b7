/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import reactor.core.scheduler.Schedulers;

/** Plain methods that wait on the caller's thread: where that may not be, ends early, or has no room. */
@ExtendWith(OutputCaptureExtension.class)
class WaitingCallsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withPropertyValues(
                    "ratelimit.limits.hour.permits=1",
                    "ratelimit.limits.hour.period=10m",
                    "ratelimit.limits.day.permits=1000",
                    "ratelimit.limits.day.period=1d");

    @Test
    void areDeniedOnAnEventLoopAfterOneWarning(CapturedOutput output) {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            onAnEventLoop(orders::hourly);
            for (int i = 0; i < 2; i++) {
                assertDenied(DenialReason.WAIT_TOO_LONG, () -> onAnEventLoop(orders::hourly));
            }
            assertThat(orders.ran()).isEqualTo(1);
            assertThat(output)
                    .containsOnlyOnce("Orders.hourly() would have to wait for its permits, but was called on an"
                            + " event-loop thread");
        });
    }

    @Test
    void areNotPunishedForTheEventLoopTheyRunOn(CapturedOutput output) {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            onAnEventLoop(orders::strict);
            for (int i = 0; i < 2; i++) {
                assertDenied(DenialReason.WAIT_TOO_LONG, () -> onAnEventLoop(orders::strict));
            }
            assertThat(output).containsOnlyOnce("Orders.strict() would have to wait for its permits");
            context.getBean(RateLimiter.class).refund("strict", "everyone", 1);
            onAnEventLoop(orders::strict);
        });
    }

    @Test
    void giveBackAndKeepTheFlagWhenInterrupted() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.hourly();
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            Thread waiting = new Thread(() -> {
                assertThatExceptionOfType(RateLimitInterruptedException.class).isThrownBy(orders::hourly);
                flag.complete(Thread.currentThread().isInterrupted());
            });
            waiting.start();
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            waiting.interrupt();
            waiting.join(PATIENCE.toMillis());
            assertThat(flag).isCompletedWithValue(true);
            assertThat(orders.ran()).isEqualTo(1);
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.refund("hour", "everyone", 1);
            assertThat(limiter.tryAcquire("hour", "everyone").passes()).isTrue();
        });
    }

    @Test
    void areDeniedWhereTooManyWaitAlready() {
        application.withPropertyValues("ratelimit.waiting.blocked-threads=1").run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.hourly();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread waiting = new Thread(orders::hourly);
            waiting.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
            waiting.start();
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertDenied(DenialReason.TOO_MANY_WAITING, orders::hourly);
            waiting.interrupt();
            waiting.join(PATIENCE.toMillis());
            assertThat(thrown.get()).isInstanceOf(RateLimitInterruptedException.class);
        });
    }

    @Test
    void waitNoLongerThanTheShortestOfTheirLimitsSays() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.hourly();
            assertDenied(DenialReason.PERMITS_SPENT, orders::hourlyFirst);
            assertDenied(DenialReason.PERMITS_SPENT, orders::hourlyLast);
        });
    }

    private static void onAnEventLoop(Runnable call) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Schedulers.parallel().schedule(() -> {
            try {
                call.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            done.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static void assertDenied(DenialReason reason, ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.denied().reason()).isEqualTo(reason));
    }

    static class Orders {

        private final AtomicInteger ran = new AtomicInteger();

        @RateLimited(name = "hour", key = "'everyone'", maxWait = "1h")
        public void hourly() {
            ran.incrementAndGet();
        }

        @RateLimited(name = "hour", key = "'everyone'", maxWait = "1h")
        @RateLimited(name = "day", maxWait = "0s")
        public void hourlyFirst() {}

        @RateLimited(name = "day", maxWait = "0s")
        @RateLimited(name = "hour", key = "'everyone'", maxWait = "1h")
        public void hourlyLast() {}

        @RateLimited(name = "strict", permits = 1, period = "10m", penalty = "2h", key = "'everyone'", maxWait = "1h")
        public void strict() {}

        int ran() {
            return ran.get();
        }
    }
}
