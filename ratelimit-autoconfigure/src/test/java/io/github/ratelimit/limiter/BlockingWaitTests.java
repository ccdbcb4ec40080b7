/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static io.github.ratelimit.limiter.Hall.paced;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiterClosedException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread that waits for permits of buckets. */
class BlockingWaitTests {

    private static final List<Ask> A = List.of(one("a", "k"));

    private final Hall hall = new Hall();

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void goesAheadNeverBeforeItsTime() {
        hall.with(bucket("a", 1, ofMillis(40)));
        hall.take("a", "k", 1);

        Caller first = Caller.of(() -> hall.door().acquireBlocking(A, ofMillis(40)));

        assertThat(first.decision())
                .isInstanceOfSatisfying(
                        Allowed.class, allowed -> assertThat(allowed.delay()).isEqualTo(ofMillis(40)));
        assertThat(Duration.ofNanos(first.nanos())).isGreaterThanOrEqualTo(ofMillis(40));
        assertThat(hall.heard.waits).isEqualTo(hall.heard.decisions).hasSize(1);
        assertThat(hall.heard.waitedNanos.get(0))
                .isBetween(40_000_000L, ofHours(1).toNanos());
    }

    @Test
    void reservesInOrderOfArrivalAndRefusesAtOnceWhoCannotBeInTime() {
        hall.with(bucket("a", 1, ofMillis(30)));
        hall.take("a", "k", 1);

        Caller first = Caller.of(() -> hall.door().acquireBlocking(A, ofMillis(60)));
        hall.awaitHeard(1);
        Caller second = Caller.of(() -> hall.door().acquireBlocking(A, ofMillis(60)));
        hall.awaitHeard(2);
        Denied third = (Denied) hall.door().acquireBlocking(A, ofMillis(60));

        assertThat(third.reason()).isEqualTo(DenialReason.WAIT_TOO_LONG);
        assertThat(third.retryAfter()).isEqualTo(ofMillis(30));
        assertThat(((Allowed) first.decision()).delay()).isEqualTo(ofMillis(30));
        assertThat(((Allowed) second.decision()).delay()).isEqualTo(ofMillis(60));
        assertThat(Duration.ofNanos(second.nanos())).isGreaterThanOrEqualTo(ofMillis(60));
    }

    @Test
    void aPacedBucketDelaysEveryCallButTheFirst() {
        hall.with(paced("a", 5, ofMillis(30)));

        Decision first = hall.door().acquireBlocking(A, null);
        Caller second = Caller.of(() -> hall.door().acquireBlocking(A, null));

        assertThat(((Allowed) first).delay()).isZero();
        assertThat(((Allowed) second.decision()).delay()).isEqualTo(ofMillis(30));
        assertThat(Duration.ofNanos(second.nanos())).isGreaterThanOrEqualTo(ofMillis(30));
    }

    @Test
    void severalBucketsAreReservedTogetherAndTheLongestWaitCounts() {
        hall.with(bucket("a", 1, ofMillis(10)), bucket("b", 1, ofMillis(40)));
        hall.take("a", "k", 1);
        hall.take("b", "k", 1);

        Caller caller = Caller.of(() -> hall.door().acquireBlocking(List.of(one("a", "k"), one("b", "k")), ofHours(1)));

        assertThat(((Allowed) caller.decision()).delay()).isEqualTo(ofMillis(40));
        assertThat(Duration.ofNanos(caller.nanos())).isGreaterThanOrEqualTo(ofMillis(40));
        assertThat(hall.taken("a", "k")).isEqualTo(2);
        assertThat(hall.taken("b", "k")).isEqualTo(2);
    }

    @Test
    void anInterruptionGivesBackAndKeepsTheFlag() {
        hall.with(bucket("a", 1, ofMinutes(10)));
        hall.take("a", "k", 1);
        Caller caller = Caller.of(() -> hall.door().acquireBlocking(A, ofHours(1)));
        hall.awaitWaiting(1);
        assertThat(hall.taken("a", "k")).isEqualTo(2);

        caller.interrupt();

        assertThat(caller.failure())
                .isInstanceOf(RateLimitInterruptedException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(caller.wasFlagged()).isTrue();
        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThat(hall.door().waiting()).isZero();
    }

    @Test
    void givesBackBeforeTheFlagIsSet() {
        hall.with(bucket("a", 1, ofMinutes(10)));
        hall.take("a", "k", 1);
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote);
            Caller caller = Caller.of(() -> hall.door().acquireBlocking(A, ofHours(1)));
            hall.awaitWaiting(1);

            caller.interrupt();

            assertThat(caller.failure()).isInstanceOf(RateLimitInterruptedException.class);
            assertThat(remote.calledByAnInterruptedThread()).isFalse();
            assertThat(hall.taken("a", "k")).isEqualTo(1);
        }
    }

    @Test
    void sleepsInsteadOfPolling() {
        hall.with(bucket("a", 1, ofMillis(100)));
        hall.take("a", "k", 1);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        hall.door().acquireBlocking(List.of(one("a", "warm up")), ofHours(1));
        long before = threads.getCurrentThreadCpuTime();

        hall.door().acquireBlocking(A, ofHours(1));

        assertThat(threads.getCurrentThreadCpuTime() - before)
                .isLessThan(ofMillis(50).toNanos());
    }

    @Test
    void givesNothingBackTwice() {
        hall.with(bucket("a", 1, ofMinutes(10)), bucket("b", 5, ofMinutes(10)));
        hall.take("a", "k", 1);
        hall.take("b", "k", 2);
        Caller caller = Caller.of(() -> hall.door().acquireBlocking(List.of(one("b", "k"), one("a", "k")), ofHours(1)));
        hall.awaitWaiting(1);

        caller.interrupt();

        assertThat(caller.failure()).isInstanceOf(RateLimitInterruptedException.class);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThat(hall.taken("b", "k")).isEqualTo(2);
    }

    @Test
    void withoutAPlaceOnlyTheLimitsThatDelayDeny() {
        hall.places(0).with(bucket("a", 1, ofMinutes(10)), bucket("b", 5, ofMinutes(10)));
        hall.take("a", "k", 1);

        Decision decision = hall.door().acquireBlocking(List.of(one("b", "k"), one("a", "k")), ofHours(1));

        assertThat(((Denied) decision).reason()).isEqualTo(DenialReason.TOO_MANY_WAITING);
        assertThat(decision.limit()).isEqualTo("a");
        assertThat(decision.parts().get(0)).isInstanceOf(Allowed.class);
        assertThat(hall.taken("b", "k")).isZero();
    }

    /** Else every call that finds no place would cost the others' permits. */
    @Test
    void withoutAPlaceAllIsGivenBackThoughOthersCameSince() {
        hall.places(0).with(bucket("a", 1, ofMinutes(10)), bucket("b", 5, ofMinutes(10)));
        hall.take("a", "k", 1);
        hall.over(store -> (RateLimitStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RateLimitStore.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("reserve")) {
                        hall.take("b", "k", 1);
                    }
                    return answer;
                }));

        Decision decision = hall.door().acquireBlocking(List.of(one("b", "k"), one("a", "k")), ofHours(1));

        assertThat(decision.passes()).isFalse();
        assertThat(hall.taken("b", "k")).isEqualTo(1);
    }

    @Test
    void givesBackAllLimitsOfTheCallAlsoThoseThatHadAPermitNow() {
        hall.with(bucket("a", 1, ofMinutes(10)), bucket("b", 5, ofMinutes(10)));
        hall.take("a", "k", 1);
        Caller caller = Caller.of(() -> hall.door().acquireBlocking(List.of(one("b", "k"), one("a", "k")), ofHours(1)));
        hall.awaitWaiting(1);
        hall.advance(ofMillis(1));

        caller.interrupt();

        assertThat(caller.failure()).isInstanceOf(RateLimitInterruptedException.class);
        assertThat(hall.taken("b", "k")).isZero();
    }

    @Test
    void anInterruptedThreadDoesNotBeginToWait() {
        hall.with(bucket("a", 1, ofMinutes(10)));
        hall.take("a", "k", 1);

        Caller caller = Caller.of(() -> {
            Thread.currentThread().interrupt();
            return hall.door().acquireBlocking(A, ofHours(1));
        });

        assertThat(caller.failure()).isInstanceOf(RateLimitInterruptedException.class);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
    }

    @Test
    void anInterruptedThreadStillGetsWhatIsThereAtOnce() {
        hall.with(bucket("a", 1, ofMinutes(10)));

        Caller caller = Caller.of(() -> {
            Thread.currentThread().interrupt();
            return hall.door().acquireBlocking(A, ofHours(1));
        });

        assertThat(caller.decision()).isInstanceOf(Allowed.class);
    }

    @Test
    void deniesWhenAllPlacesForWaitingThreadsAreTakenAndGivesBack() {
        hall.places(1).with(bucket("a", 1, ofMinutes(10)), bucket("b", 1, ofMinutes(10)));
        hall.take("a", "k", 1);
        hall.take("b", "k", 1);
        Caller waiting = Caller.of(() -> hall.door().acquireBlocking(A, ofHours(1)));
        hall.awaitWaiting(1);

        Denied denied = (Denied) hall.door().acquireBlocking(List.of(one("b", "k")), ofHours(1));

        assertThat(denied.reason()).isEqualTo(DenialReason.TOO_MANY_WAITING);
        assertThat(denied.retryAfter()).isEqualTo(ofMinutes(10));
        assertThat(hall.taken("b", "k")).isEqualTo(1);
        assertThat(hall.heard.decisions).hasSize(2).last().isEqualTo(denied);

        waiting.interrupt();
        assertThat(waiting.failure()).isNotNull();
        Caller next = Caller.of(() -> hall.door().acquireBlocking(A, ofHours(1)));
        hall.awaitWaiting(1);
        next.interrupt();
    }

    @Test
    void closingReleasesWhoWaitsAndGivesBack() {
        hall.with(bucket("a", 1, ofMinutes(10)));
        hall.take("a", "k", 1);
        Caller caller = Caller.of(() -> hall.door().acquireBlocking(A, ofHours(1)));
        hall.awaitWaiting(1);

        hall.door().close();

        assertThat(caller.failure())
                .isInstanceOf(RateLimiterClosedException.class)
                .hasMessageContaining("application stops");
        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThatThrownBy(() -> hall.door().acquireBlocking(A, ofHours(1)))
                .isInstanceOf(RateLimiterClosedException.class);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
    }

    @Test
    void anAnswerOfTheStoreThatComesAfterTheInterruptionIsGivenBack() {
        hall.with(bucket("a", 2, ofMinutes(10)));
        hall.take("a", "k", 1);
        try (RemoteStore remote = new RemoteStore(hall.counters).hold()) {
            hall.over(store -> remote);
            Caller now = Caller.of(() -> hall.door().acquireBlocking(A, null));
            Caller waits = Caller.of(() -> hall.door().acquireBlocking(List.of(one("a", "other")), ofHours(1)));
            hall.awaitTaken("a", "k", 2);
            hall.awaitTaken("a", "other", 1);

            now.interrupt();
            waits.interrupt();

            assertThat(now.failure()).isInstanceOf(RateLimitInterruptedException.class);
            assertThat(waits.failure()).isInstanceOf(RateLimitInterruptedException.class);
            assertThat(now.wasFlagged()).isTrue();
            assertThat(waits.wasFlagged()).isTrue();
            assertThat(hall.taken("a", "k")).isEqualTo(2);
            remote.answer();
            hall.awaitTaken("a", "k", 1);
            hall.awaitTaken("a", "other", 0);
            assertThat(hall.heard.decisions).isEmpty();
        }
    }
}
