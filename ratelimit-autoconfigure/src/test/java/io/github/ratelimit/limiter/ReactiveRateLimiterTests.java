/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.ReactiveRateLimiter;
import io.github.ratelimit.UnknownLimitException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Limits from reactive code. */
class ReactiveRateLimiterTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Hall hall = new Hall().with(bucket("a", 2, ofMinutes(1)));

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void decidesPerSubscriptionAndNotBefore() {
        Mono<Decision> call = limiter().tryAcquire("a", "k");
        assertThat(hall.taken("a", "k")).isZero();

        assertThat(call.block(LONG)).isInstanceOf(Allowed.class);
        assertThat(call.block(LONG)).isInstanceOf(Allowed.class);
        assertThat(call.block(LONG)).isInstanceOf(Denied.class);
        assertThat(hall.heard.decisions).hasSize(3);
    }

    @Test
    void waitsWithoutAThread() {
        hall.with(bucket("fast", 1, ofMillis(30)));
        hall.take("fast", "k", 1);
        long start = System.nanoTime();

        String thread = limiter()
                .acquire("fast", "k", 1, ofMillis(30))
                .map(decision -> Thread.currentThread().getName())
                .block(LONG);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
        assertThat(thread).startsWith("parallel-");
    }

    @Test
    void cancellingGivesBack() {
        hall.take("a", "k", 2);
        Disposable subscription = limiter().acquire("a", "k", 1, ofHours(1)).subscribe();
        assertThat(hall.taken("a", "k")).isEqualTo(3);

        subscription.dispose();

        assertThat(hall.taken("a", "k")).isEqualTo(2);
        assertThat(hall.door().waiting()).isZero();
    }

    @Test
    void noSignalArrivesOnAThreadOfTheStoresClient() {
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote);
            ReactiveRateLimiter limiter = limiter();
            for (Mono<?> call : List.of(
                    limiter.tryAcquire("a", "k"),
                    limiter.tryAcquire("a", "k", 1),
                    limiter.acquire("a", "k", 1, ofMillis(1)),
                    limiter.refund("a", "k", 1),
                    limiter.peek("a", "k"))) {
                remote.hold();
                Mono<String> thread = call.map(answer -> Thread.currentThread().getName());
                var answered = thread.toFuture();
                remote.answer();

                assertThat(answered.join()).startsWith("parallel-");
            }
        }
    }

    @Test
    void refundsResetsAndPeeks() {
        ReactiveRateLimiter limiter = limiter();
        hall.take("a", "k", 2);

        assertThat(limiter.peek("a", "k").block(LONG)).isInstanceOf(Denied.class);
        assertThat(((Allowed) orFail(limiter.refund("a", "k", 1).block(LONG))).remaining())
                .isEqualTo(1);
        limiter.reset("a", "k").block(LONG);
        assertThat(((Allowed) orFail(limiter.peek("a", "k").block(LONG))).remaining())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void whatIsWrongIsAnErrorSignal(String blank) {
        Mono<Decision> key = limiter().tryAcquire("a", blank);
        Mono<Decision> limit = limiter().tryAcquire("none", "k");
        Mono<Decision> wait = limiter().acquire("a", "k", 1, ofHours(2));

        assertThatThrownBy(() -> key.block(LONG)).isInstanceOf(InvalidRateLimitKeyException.class);
        assertThatThrownBy(() -> limit.block(LONG)).isInstanceOf(UnknownLimitException.class);
        assertThatThrownBy(() -> wait.block(LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT2H");
    }

    @Test
    void switchedOffEverythingPassesUncounted() {
        ReactiveRateLimiter off = new UncountedReactiveRateLimiter();

        for (Mono<Decision> call : List.of(
                off.tryAcquire("x", "k"),
                off.tryAcquire("x", "k", 1),
                off.acquire("x", "", 1, ofHours(9)),
                off.refund("x", "k", 1),
                off.peek("x", "k"))) {
            assertThat(call.block(LONG)).isEqualTo(new Uncounted("x", null));
        }
        assertThat(off.reset("x", "k").hasElement().block(LONG)).isFalse();
    }

    private ReactiveRateLimiter limiter() {
        return new DefaultReactiveRateLimiter(hall.door());
    }

    private static Decision orFail(@org.jspecify.annotations.Nullable Decision decision) {
        if (decision == null) {
            throw new AssertionError("no answer");
        }
        return decision;
    }
}
