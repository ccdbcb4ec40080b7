/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A method that returns a type variable is limited as what the bean's class says that is. */
class GenericReturnTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void decidesAMonoForEachSubscription() {
        Gated.with(OfMono.class).run(context -> {
            Mono<String> mono = context.getBean(OfMono.class).call();
            assertTwoCalls("calls-call", () -> mono.block(PATIENCE));
        });
    }

    @Test
    void decidesAFluxForEachSubscription() {
        Gated.with(OfFlux.class).run(context -> {
            Flux<String> flux = context.getBean(OfFlux.class).call();
            assertTwoCalls("calls-call", () -> flux.collectList().block(PATIENCE));
        });
    }

    @Test
    void failsTheStageOfADeniedCall() {
        Gated.with(OfStage.class)
                .withPropertyValues("ratelimit.defaults.permits=1")
                .run(context -> {
                    OfStage stages = context.getBean(OfStage.class);
                    assertThat(stages.call().join()).isEqualTo("done");
                    CompletableFuture<String> denied = stages.call();
                    assertThatExceptionOfType(CompletionException.class)
                            .isThrownBy(denied::join)
                            .withCauseInstanceOf(RateLimitExceededException.class);
                });
    }

    @Test
    void decidesPlainValuesAtTheCall() {
        Gated.with(OfText.class).run(context -> assertTwoCalls("calls-call", context.getBean(OfText.class)::call));
    }

    static class Calls<T> {

        private final T result;

        Calls(T result) {
            this.result = result;
        }

        @RateLimited
        public T call() {
            return result;
        }
    }

    static class OfMono extends Calls<Mono<String>> {
        OfMono() {
            super(Mono.just("done"));
        }
    }

    static class OfFlux extends Calls<Flux<String>> {
        OfFlux() {
            super(Flux.just("done"));
        }
    }

    static class OfStage extends Calls<CompletableFuture<String>> {
        OfStage() {
            super(CompletableFuture.completedFuture("done"));
        }
    }

    static class OfText extends Calls<String> {
        OfText() {
            super("done");
        }
    }
}
