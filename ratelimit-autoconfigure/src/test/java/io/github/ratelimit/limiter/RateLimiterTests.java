/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.paced;
import static io.github.ratelimit.limiter.Hall.window;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits from code. */
class RateLimiterTests {

    private final Hall hall = new Hall();
    private RateLimiter limiter = new UncountedRateLimiter();

    @BeforeEach
    void open() {
        hall.with(bucket("a", 3, ofMinutes(1)), window("w", 3, ofMinutes(1)));
        limiter = new DefaultRateLimiter(hall.door());
    }

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void takesPermitsUntilThereAreNone() {
        assertThat(limiter.tryAcquire("a", "k")).isInstanceOf(Allowed.class);
        assertThat(((Allowed) limiter.tryAcquire("a", "k", 2)).remaining()).isZero();
        assertThat(((Denied) limiter.tryAcquire("a", "k")).retryAfter()).isEqualTo(ofMinutes(1));
        assertThat(limiter.tryAcquire("a", "somebody else")).isInstanceOf(Allowed.class);
    }

    @Test
    void theAsyncTwinsAnswerTheSame() {
        assertThat(join(limiter.tryAcquireAsync("a", "k", 2))).isInstanceOf(Allowed.class);
        assertThat(((Allowed) join(limiter.tryAcquireAsync("a", "k"))).remaining())
                .isZero();
        assertThat(join(limiter.acquireAsync("a", "k", 1, ofMillis(1))))
                .isEqualTo(limiter.acquire("a", "k", 1, ofMillis(1)));
    }

    @Test
    void waitsWhenAskedTo() {
        hall.with(bucket("fast", 1, ofMillis(20)));
        limiter.tryAcquire("fast", "k");
        long start = System.nanoTime();

        assertThat(limiter.acquire("fast", "k", 1, ofMillis(20))).isInstanceOf(Allowed.class);
        assertThat(join(limiter.acquireAsync("fast", "k", 1, ofMillis(40)))).isInstanceOf(Allowed.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000);
    }

    @Test
    void refundsResetsAndPeeks() {
        limiter.tryAcquire("a", "k", 3);

        assertThat(((Allowed) limiter.refund("a", "k", 2)).remaining()).isEqualTo(2);
        limiter.reset("a", "k");
        assertThat(hall.taken("a", "k")).isZero();
        assertThat(((Allowed) limiter.peek("a", "k")).remaining()).isEqualTo(3);
        assertThat(hall.heard.decisions).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "w"})
    void peekTellsThePresentStateAndTakesNothing(String limit) {
        limiter.tryAcquire(limit, "k", 2);

        assertThat(((Allowed) limiter.peek(limit, "k")).remaining()).isEqualTo(1);
        assertThat(((Allowed) limiter.peek(limit, "k")).remaining()).isEqualTo(1);
        limiter.tryAcquire(limit, "k");
        assertThat(((Denied) limiter.peek(limit, "k")).retryAfter()).isEqualTo(ofMinutes(1));
        assertThat(hall.taken(limit, "k")).isEqualTo(3);
    }

    @Test
    void peekTellsOfAPenaltyOnlyWhereOneRuns() {
        hall.with(
                bucket("strict-a", 1, ofMinutes(1)).penalty(ofHours(1)),
                window("strict-w", 1, ofMinutes(1)).penalty(ofHours(1)));
        for (String limit : List.of("strict-a", "strict-w")) {
            Limit numbers = hall.limits.numbersFor(limit, null, "k");
            limiter.tryAcquire(limit, "k");

            assertThat(limiter.peek(limit, "k"))
                    .isEqualTo(new Denied(numbers, DenialReason.PERMITS_SPENT, 0, 60_000_000, 60_000_000));
            limiter.tryAcquire(limit, "k");
            assertThat(limiter.peek(limit, "k"))
                    .isEqualTo(new Denied(numbers, DenialReason.PENALTY, 0, 3_600_000_000L, 3_600_000_000L));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void refusesABlankKeyWithoutEchoingIt(String key) {
        List<Function<RateLimiter, Object>> calls = List.of(
                asked -> asked.tryAcquire("a", key),
                asked -> asked.tryAcquire("a", key, 1),
                asked -> asked.acquire("a", key, 1, ZERO),
                asked -> asked.tryAcquireAsync("a", key),
                asked -> asked.tryAcquireAsync("a", key, 1),
                asked -> asked.acquireAsync("a", key, 1, ZERO),
                asked -> asked.refund("a", key, 1),
                asked -> asked.peek("a", key));

        for (Function<RateLimiter, Object> call : calls) {
            assertThatThrownBy(() -> call.apply(limiter))
                    .isInstanceOf(InvalidRateLimitKeyException.class)
                    .hasMessageContaining("'a'");
        }
        assertThatThrownBy(() -> limiter.reset("a", key)).isInstanceOf(InvalidRateLimitKeyException.class);
    }

    @Test
    void refusesANullKeyLikeABlankOne() {
        @SuppressWarnings("NullAway") // a caller that is not checked for nulls
        Function<RateLimiter, Decision> careless = asked -> asked.tryAcquire("a", null);

        assertThatThrownBy(() -> careless.apply(limiter)).isInstanceOf(InvalidRateLimitKeyException.class);
    }

    @Test
    void onAnEventLoopAcquireIsAnErrorAndTakesNothing() {
        try (Hall loop = new Hall().with(bucket("a", 3, ofMinutes(1)))) {
            loop.onEventLoop = () -> true;
            RateLimiter onLoop = new DefaultRateLimiter(loop.door());

            assertThatThrownBy(() -> onLoop.acquire("a", "k", 1, ofMillis(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName())
                    .hasMessageContaining("acquireAsync");
            assertThat(loop.taken("a", "k")).isZero();
            assertThat(onLoop.tryAcquire("a", "k")).isInstanceOf(Allowed.class);
            assertThat(join(onLoop.acquireAsync("a", "k", 1, ofMillis(1)))).isInstanceOf(Allowed.class);
        }
    }

    @Test
    void onAnEventLoopTheGateIsDeniedWhereItWouldWait() {
        try (Hall loop = new Hall().with(bucket("a", 1, ofMinutes(1)), window("w", 1, ofMinutes(1)))) {
            loop.onEventLoop = () -> true;
            AtomicInteger refusals = new AtomicInteger();
            for (String limit : List.of("a", "w")) {
                List<Ask> asks = List.of(Hall.one(limit, "k"));
                assertThat(loop.door().acquireBlocking(asks, ofHours(1), refusals::incrementAndGet))
                        .isInstanceOf(Allowed.class);

                Denied denied = (Denied) loop.door().acquireBlocking(asks, ofMinutes(1), refusals::incrementAndGet);
                Denied tooLong = (Denied) loop.door().acquireBlocking(asks, ofMillis(1), () -> {
                    throw new AssertionError("this call would not have waited anywhere");
                });

                assertThat(denied.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
                assertThat(denied.retryAfter()).isEqualTo(ofMinutes(1));
                assertThat(tooLong.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
                assertThat(loop.taken(limit, "k")).isEqualTo(1);
            }
            assertThat(refusals).hasValue(2);
        }
    }

    @Test
    void onAnEventLoopAWaitThatTimeWouldCureStartsNoPenalty() {
        try (Hall loop = new Hall()
                .with(
                        bucket("a", 1, ofMinutes(1)).penalty(ofHours(1)),
                        window("w", 1, ofMinutes(1)).penalty(ofHours(1)))) {
            loop.onEventLoop = () -> true;
            AtomicInteger refusals = new AtomicInteger();
            for (String limit : List.of("a", "w")) {
                List<Ask> asks = List.of(Hall.one(limit, "k"));
                Limit numbers = loop.limits.numbersFor(limit, null, "k");
                loop.take(limit, "k", 1);

                assertThat(loop.door().acquireBlocking(asks, ofMinutes(1), refusals::incrementAndGet))
                        .isEqualTo(new Denied(numbers, DenialReason.WAIT_TOO_LONG, 0, 60_000_000, 60_000_000));
                loop.advance(ofMinutes(1));
                assertThat(loop.door().acquireBlocking(asks, ofMinutes(1), refusals::incrementAndGet))
                        .isInstanceOfSatisfying(
                                Allowed.class,
                                allowed -> assertThat(allowed.definition()).isEqualTo(numbers));
            }
            assertThat(refusals).hasValue(2);
            assertThat(loop.heard.decisions).hasSize(4);
        }
    }

    @Test
    void onAnEventLoopAWaitThatWouldBeRefusedAnywhereStartsThePenalty() {
        try (Hall loop = new Hall()
                .with(
                        bucket("a", 1, ofMinutes(1)).penalty(ofHours(1)),
                        window("w", 1, ofMinutes(1)).penalty(ofHours(1)))) {
            loop.onEventLoop = () -> true;
            for (String limit : List.of("a", "w")) {
                loop.take(limit, "k", 1);
                Decision denied = loop.door().acquireBlocking(List.of(Hall.one(limit, "k")), ofSeconds(1), () -> {
                    throw new AssertionError("this call would not have waited anywhere");
                });

                assertThat(denied)
                        .isEqualTo(new Denied(
                                loop.limits.numbersFor(limit, null, "k"),
                                DenialReason.PENALTY,
                                0,
                                3_600_000_000L,
                                3_600_000_000L));
                loop.advance(ofMinutes(59));
                assertThat(loop.door().acquireBlocking(List.of(Hall.one(limit, "k")), Duration.ZERO))
                        .isInstanceOf(Denied.class);
            }
            assertThat(loop.heard.decisions).hasSize(4);
        }
    }

    @Test
    void onAnEventLoopALeakyBucketIsLockedOnlyWhereItOverflows() {
        try (Hall loop = new Hall().with(paced("p", 2, ofMinutes(1)).penalty(ofHours(1)))) {
            loop.onEventLoop = () -> true;
            AtomicInteger refusals = new AtomicInteger();
            List<Ask> asks = List.of(Hall.one("p", "k"));
            loop.take("p", "k", 1);

            Denied late = (Denied) loop.door().acquireBlocking(asks, ofMinutes(1), refusals::incrementAndGet);
            assertThat(late.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
            assertThat(refusals).hasValue(1);
            loop.advance(ofMinutes(1));
            loop.take("p", "k", 2);
            Denied overflowing = (Denied) loop.door().acquireBlocking(asks, ofHours(1), refusals::incrementAndGet);
            assertThat(overflowing.reason()).isEqualTo(DenialReason.PENALTY);
            assertThat(refusals).hasValue(1);
        }
    }

    @Test
    void onAnEventLoopALimitWithoutPatienceIsSpentNotLate() {
        try (Hall loop =
                new Hall().with(bucket("a", 1, ofMinutes(1)).maxWait(ofHours(1)), bucket("b", 1, ofMinutes(1)))) {
            loop.onEventLoop = () -> true;
            loop.take("a", "k", 1);
            loop.take("b", "k", 1);

            Decision decision = loop.door().acquireBlocking(List.of(Hall.one("a", "k"), Hall.one("b", "k")), null);

            assertThat(decision.parts())
                    .extracting(part -> ((Denied) part).reason())
                    .containsExactly(DenialReason.WAIT_TOO_LONG, DenialReason.PERMITS_SPENT);
        }
    }

    @Test
    void switchedOffEverythingPassesUncounted() {
        RateLimiter off = new UncountedRateLimiter();

        off.reset("nobody defined it", "k");
        assertThat(List.of(
                        off.tryAcquire("x", "k"),
                        off.tryAcquire("x", "", 5),
                        off.acquire("x", "k", 1, ofHours(9)),
                        join(off.tryAcquireAsync("x", "k")),
                        join(off.tryAcquireAsync("x", "k", 1)),
                        join(off.acquireAsync("x", "k", 1, ZERO)),
                        off.refund("x", "k", 1),
                        off.peek("x", "k")))
                .containsOnly(new Uncounted("x", null));
    }

    private static Decision join(CompletionStage<Decision> stage) {
        return stage.toCompletableFuture().join();
    }
}
