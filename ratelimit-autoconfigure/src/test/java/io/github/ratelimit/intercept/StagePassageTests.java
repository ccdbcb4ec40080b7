/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;

/** Giving up and going ahead exclude each other: what is charged runs, what does not run is given back. */
class StagePassageTests {

    private final AtomicInteger ran = new AtomicInteger();

    @Test
    void runsWhatWasDecidedThoughItIsGivenUpThen() {
        Gated.with(Orders.class).run(context -> {
            Decision allowed = context.getBean(Door.class)
                    .acquire(List.of(new Ask("orders-call", null, "all", 1)), Duration.ZERO)
                    .join();
            assertThat(allowed.passes()).isTrue();
            LastMoment decided = new LastMoment(allowed);

            givenUp(context.getBean(LimitedMethods.class), decided);

            assertThat(decided).isCompletedWithValue(allowed);
            assertThat(ran).hasValue(1);
        });
    }

    @Test
    void runsNothingThatIsGivenUpBefore() {
        Gated.with(Orders.class).run(context -> {
            CompletableFuture<Decision> decided = new CompletableFuture<>();

            givenUp(context.getBean(LimitedMethods.class), decided);

            assertThat(decided).isCancelled();
            assertThat(ran).hasValue(0);
        });
    }

    private void givenUp(LimitedMethods methods, CompletableFuture<Decision> decided) {
        ProxyFactory proxy = new ProxyFactory(new Orders(ran));
        proxy.setProxyTargetClass(true);
        proxy.addAdvice((MethodInterceptor) call -> {
            LimitedMethod limited = Objects.requireNonNull(methods.of(call.getMethod(), Orders.class));
            return StagePassage.goOnLater(call, limited, decided);
        });
        CompletableFuture<String> result = ((Orders) proxy.getProxy()).call();
        result.cancel(true);
        assertThat(result).isCancelled();
    }

    /** Decided at the last moment before it can be cancelled. */
    private static final class LastMoment extends CompletableFuture<Decision> {

        private final Decision decision;

        LastMoment(Decision decision) {
            this.decision = decision;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            complete(decision);
            return super.cancel(mayInterruptIfRunning);
        }
    }

    static class Orders {

        private final AtomicInteger ran;

        Orders() {
            this(new AtomicInteger());
        }

        Orders(AtomicInteger ran) {
            this.ran = ran;
        }

        @RateLimited
        public CompletableFuture<String> call() {
            ran.incrementAndGet();
            return CompletableFuture.completedFuture("ran");
        }
    }
}
