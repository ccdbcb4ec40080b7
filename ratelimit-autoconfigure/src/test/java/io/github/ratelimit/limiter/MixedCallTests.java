/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static io.github.ratelimit.limiter.Hall.paced;
import static io.github.ratelimit.limiter.Hall.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with a limit that cannot be reserved: nothing is charged while they wait, then they try again. */
class MixedCallTests {

    private static final List<Ask> W = List.of(one("w", "k"));
    private static final List<Ask> BUCKET_AND_WINDOW = List.of(one("b", "k"), one("w", "k"));

    private final Hall hall = new Hall();

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void waitsForAWindowAndIsTakenThen() {
        hall.with(window("w", 1, ofMillis(40)));
        hall.take("w", "k", 1);

        Caller blocking = Caller.of(() -> hall.door().acquireBlocking(W, ofHours(1)));
        hall.awaitWaiting(1);
        hall.advance(ofMillis(40));

        assertThat(blocking.decision()).isInstanceOf(Allowed.class);
        assertThat(Duration.ofNanos(blocking.nanos())).isGreaterThanOrEqualTo(ofMillis(40));
        assertThat(hall.heard.decisions).hasSize(1);
        assertThat(hall.heard.waits).isEqualTo(hall.heard.decisions);
    }

    @Test
    void waitsForAWindowWithoutAThread() {
        hall.with(window("w", 1, ofMillis(40)));
        hall.take("w", "k", 1);
        long start = System.nanoTime();

        CompletableFuture<Decision> pending = hall.door().acquire(W, ofHours(1));
        assertThat(pending).isNotDone();
        hall.advance(ofMillis(40));

        assertThat(pending.join()).isInstanceOf(Allowed.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(40_000_000);
        assertThat(hall.heard.decisions).hasSize(1);
        assertThat(hall.heard.waits).isEqualTo(hall.heard.decisions);
    }

    @Test
    void isRefusedAtOnceWhenTheWindowOpensTooLate() {
        hall.with(window("w", 1, ofHours(2)), bucket("b", 5, ofHours(1)));
        hall.take("w", "k", 1);

        Denied denied = (Denied) both(BUCKET_AND_WINDOW, ofHours(1));

        assertThat(denied.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
        assertThat(denied.retryAfter()).isEqualTo(ofHours(2));
        assertThat(denied.limit()).isEqualTo("w");
        assertThat(denied.parts().get(0)).isInstanceOf(Allowed.class);
        assertThat(hall.taken("b", "k")).isZero();
    }

    @Test
    void aWaitOfExactlyTheMaximumIsWaited() {
        hall.with(window("w", 1, ofHours(1)));
        hall.take("w", "k", 1);

        CompletableFuture<Decision> pending = hall.door().acquire(W, ofHours(1));

        assertThat(pending).isNotDone();
        pending.cancel(true);
    }

    @Test
    void aWindowWithoutPatienceIsSpentNotLate() {
        hall.with(window("w", 1, ofHours(2)));
        hall.take("w", "k", 1);

        assertThat(((Denied) both(W, null)).reason()).isEqualTo(DenialReason.PERMITS_SPENT);
    }

    @Test
    void everyLimitsOwnPatienceCounts() {
        hall.with(window("w", 1, ofMinutes(1)).maxWait(ofHours(1)), bucket("b", 1, ofMinutes(1)));
        hall.take("w", "k", 1);
        hall.take("b", "k", 1);

        Denied denied = (Denied) both(BUCKET_AND_WINDOW, null);

        assertThat(denied.parts())
                .extracting(part -> ((Denied) part).reason())
                .containsExactly(DenialReason.PERMITS_SPENT, DenialReason.PERMITS_SPENT);
    }

    @Test
    void chargesNothingWhileItWaits() {
        hall.with(window("w", 1, ofMinutes(1)), bucket("b", 1, ofSeconds(1)));
        hall.take("w", "k", 1);
        Caller blocking = Caller.of(() -> hall.door().acquireBlocking(BUCKET_AND_WINDOW, ofHours(1)));
        CompletableFuture<Decision> pending = hall.door().acquire(BUCKET_AND_WINDOW, ofHours(1));
        hall.awaitWaiting(2);

        assertThat(hall.taken("b", "k")).isZero();

        blocking.interrupt();
        pending.cancel(false);
        assertThat(blocking.failure()).isInstanceOf(RateLimitInterruptedException.class);
        assertThat(hall.taken("b", "k")).isZero();
        assertThat(hall.taken("w", "k")).isEqualTo(1);
        assertThat(hall.heard.decisions).isEmpty();
        assertThat(hall.door().waiting()).isZero();
    }

    @Test
    void aTokenBucketBesideAWindowIsWaitedForNotReserved() {
        hall.with(window("w", 5, ofMinutes(1)), bucket("b", 1, ofMillis(30)));
        hall.take("b", "k", 1);
        Caller blocking = Caller.of(() -> hall.door().acquireBlocking(BUCKET_AND_WINDOW, ofHours(1)));
        hall.awaitWaiting(1);
        assertThat(hall.taken("b", "k")).isEqualTo(1);

        hall.advance(ofMillis(30));

        assertThat(((Allowed) blocking.decision()).delay()).isZero();
        assertThat(hall.taken("b", "k")).isEqualTo(1);
    }

    @Test
    void keepsItsDeadlineWhenOthersTakeWhatItWaitedFor() {
        hall.with(window("w", 1, ofMillis(10)));
        hall.take("w", "k", 1);
        long start = System.nanoTime();

        // The clock stands still: after each pause the window is as full as before.
        Caller blocking = Caller.of(() -> hall.door().acquireBlocking(W, ofMillis(60)));
        Decision pending = hall.door().acquire(W, ofMillis(60)).join();
        long pendingNanos = System.nanoTime() - start;

        for (Decision decision : List.of(blocking.decision(), pending)) {
            assertThat(((Denied) decision).reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
            assertThat(((Denied) decision).retryAfter()).isEqualTo(ofMillis(10));
        }
        assertThat(Duration.ofNanos(blocking.nanos())).isBetween(ofMillis(50), ofHours(1));
        assertThat(Duration.ofNanos(pendingNanos)).isGreaterThanOrEqualTo(ofMillis(50));
    }

    @Test
    void aPacedBucketBesideAWindowStillDelays() {
        hall.with(window("w", 5, ofMinutes(1)), paced("b", 5, ofMillis(30)));
        hall.take("b", "k", 1);

        Caller blocking = Caller.of(() -> hall.door().acquireBlocking(BUCKET_AND_WINDOW, null));

        assertThat(((Allowed) blocking.decision()).delay()).isEqualTo(ofMillis(30));
        assertThat(Duration.ofNanos(blocking.nanos())).isGreaterThanOrEqualTo(ofMillis(30));
        assertThat(hall.taken("w", "k")).isEqualTo(1);
    }

    @Test
    void givingUpDuringThatDelayGivesTheWindowBackToo() {
        hall.with(window("w", 5, ofMinutes(60)), paced("b", 5, ofMinutes(30)));
        hall.take("b", "k", 1);
        CompletableFuture<Decision> pending = hall.door().acquire(BUCKET_AND_WINDOW, ofHours(1));
        hall.advance(ofMinutes(1));
        assertThat(hall.taken("w", "k")).isEqualTo(1);

        pending.cancel(true);

        assertThat(hall.taken("w", "k")).isZero();
        assertThat(hall.taken("b", "k")).isZero(); // 29 of the 30 minutes of the first are left
    }

    @Test
    void nobodyWaitsForAPacedBucketThatOverflows() {
        hall.with(window("w", 5, ofMinutes(1)), paced("b", 1, ofMillis(10)));
        hall.take("b", "k", 1);

        assertThat(((Denied) both(BUCKET_AND_WINDOW, ofHours(1))).reason()).isEqualTo(DenialReason.PERMITS_SPENT);
    }

    @Test
    void aWaitThatComesToAnEndStartsNoPenalty() {
        hall.with(window("w", 1, ofMillis(30)).penalty(ofMinutes(5)));
        hall.take("w", "k", 1);

        CompletableFuture<Decision> pending = hall.door().acquire(W, ofHours(1));
        hall.advance(ofMillis(30));

        assertThat(pending.join())
                .isInstanceOfSatisfying(
                        Allowed.class,
                        allowed -> assertThat(allowed.definition()).isEqualTo(hall.limits.numbersFor("w", null, "k")));
        hall.advance(ofMillis(30));
        assertThat(hall.door().acquireBlocking(W, Duration.ZERO)).isInstanceOf(Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitThatIsRefusedStartsThePenalty(boolean async) {
        hall.with(window("w", 1, ofHours(2)).penalty(ofMinutes(5)));
        hall.take("w", "k", 1);

        Denied denied = (Denied)
                (async ? hall.door().acquire(W, ofHours(1)).join() : hall.door().acquireBlocking(W, ofHours(1)));

        assertThat(denied.reason()).isEqualTo(DenialReason.PENALTY);
        assertThat(denied.retryAfter()).isEqualTo(ofHours(2));
        assertThat(denied.definition()).isEqualTo(hall.limits.numbersFor("w", null, "k"));
        Charge nothing = Charge.of(denied.definition(), "k", 0);
        assertThat(((Allowed) hall.counters
                                .peek(List.of(nothing))
                                .toCompletableFuture()
                                .join())
                        .remaining())
                .isZero();
        assertThat(hall.heard.decisions).containsExactly(denied);
    }

    @Test
    void aPauseNeedsAPlaceToo() {
        hall.places(0).with(window("w", 1, ofMinutes(1)));
        hall.take("w", "k", 1);

        Denied denied = (Denied) hall.door().acquireBlocking(W, ofHours(1));

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_MANY_WAITING);
        assertThat(denied.retryAfter()).isEqualTo(ofMinutes(1));
    }

    private Decision both(List<Ask> asks, @Nullable Duration maxWait) {
        Decision blocking = hall.door().acquireBlocking(asks, maxWait);
        assertThat(hall.door().acquire(asks, maxWait).join()).isEqualTo(blocking);
        return blocking;
    }
}
