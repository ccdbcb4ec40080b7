/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.micrometer.context.ContextRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Beans that keys ask see whose call it is: what the caller's thread carries, and over it what the reactive context holds. */
class ReactiveCallerTests {

    private static final String USER = "reactive-caller-user";
    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withBean("users", Users.class)
            .withPropertyValues("ratelimit.limits.slow.permits=1", "ratelimit.limits.slow.period=300ms");

    @BeforeEach
    void carryTheUser() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(USER, CURRENT);
    }

    @AfterEach
    void forgetTheUser() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(USER);
        CURRENT.remove();
    }

    @Test
    void keysAreOfTheReactiveContext() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (Function<String, @Nullable String> call : List.<Function<String, @Nullable String>>of(
                    user -> orders.mono()
                            .contextWrite(view -> view.put(USER, user))
                            .block(PATIENCE),
                    user -> orders.flux()
                            .contextWrite(view -> view.put(USER, user))
                            .blockLast(PATIENCE))) {
                CURRENT.set("somebody else");
                assertThat(call.apply("ann")).isEqualTo("for ann");
                assertThat(call.apply("ann")).isEqualTo("for ann");
                assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call.apply("ann"));
                assertThat(call.apply("bob")).isEqualTo("for bob");
                assertThat(CURRENT.get()).isEqualTo("somebody else");
            }
        });
    }

    @Test
    void keysAreOfTheSubscribersThreadWhereTheContextHoldsNothing() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            CURRENT.set("ann");
            assertThat(orders.mono().block(PATIENCE)).isEqualTo("for ann");
            CURRENT.remove();
            assertThatExceptionOfType(InvalidRateLimitKeyException.class)
                    .isThrownBy(() -> orders.mono().block(PATIENCE));
        });
    }

    @Test
    void methodsAreTheCallersAfterAWaitToo() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 2; i++) {
                assertThat(orders.slowMono()
                                .contextWrite(view -> view.put(USER, "ann"))
                                .block(PATIENCE))
                        .isEqualTo("for ann");
            }
            CURRENT.set("bob");
            orders.slowStage().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            CompletableFuture<String> waiting = orders.slowStage();
            CURRENT.set("carl");
            assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("for bob");
        });
    }

    static class Users {
        public @Nullable String current() {
            return CURRENT.get();
        }
    }

    static class Orders {

        @RateLimited(key = "@users.current()")
        public Mono<String> mono() {
            return Mono.just("for " + CURRENT.get());
        }

        @RateLimited(key = "@users.current()")
        public Flux<String> flux() {
            return Flux.just("for " + CURRENT.get());
        }

        @RateLimited(name = "slow", key = "@users.current()", maxWait = "5s")
        public Mono<String> slowMono() {
            return Mono.just("for " + CURRENT.get());
        }

        @RateLimited(name = "slow", key = "@users.current()", maxWait = "5s")
        public CompletableFuture<String> slowStage() {
            return CompletableFuture.completedFuture("for " + CURRENT.get());
        }
    }
}
