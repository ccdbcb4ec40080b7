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
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiterClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that wait without a thread. */
class AsyncWaitTests {

    private static final List<Ask> A = List.of(one("a", "k"));

    private final Hall hall = new Hall();

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void isCompleteAtOnceWhenTheStoreAnswersAtOnce() {
        hall.with(bucket("a", 1, ofMinutes(1)));

        assertThat(hall.door().acquire(A, ofHours(1))).isCompletedWithValueMatching(Allowed.class::isInstance);
        assertThat(hall.heard.threads).containsExactly(Thread.currentThread().getName());
    }

    @Test
    void goesAheadNeverBeforeItsTimeAndOnTheExecutor() {
        hall.with(bucket("a", 1, ofMillis(40)));
        hall.take("a", "k", 1);
        long start = System.nanoTime();

        CompletableFuture<String> thread = hall.door()
                .acquire(A, ofMillis(40))
                .thenApply(decision -> Thread.currentThread().getName());

        assertThat(thread.join()).isEqualTo("executor");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(40_000_000);
        assertThat(hall.heard.waits).isEqualTo(hall.heard.decisions).hasSize(1);
        assertThat(hall.heard.waitedNanos.get(0))
                .isBetween(40_000_000L, ofHours(1).toNanos());
        assertThat(hall.door().waiting()).isZero();
    }

    @Test
    void nothingOfTheUsersRunsOnAThreadOfTheStoresClient() {
        hall.with(bucket("a", 1, ofMillis(20)), paced("p", 5, ofMillis(20)));
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote.hold());
            List<CompletableFuture<String>> threads = new ArrayList<>();
            for (String limit : List.of("a", "a", "a", "p", "p")) {
                threads.add(hall.door()
                        .acquire(List.of(one(limit, "k")), ofMillis(20))
                        .thenApply(decision -> Thread.currentThread().getName()));
            }
            remote.answer();

            assertThat(threads).extracting(CompletableFuture::join).containsOnly("executor");
            assertThat(hall.heard.threads).hasSize(5).containsOnly("executor");
        }
    }

    @Test
    void goesOnWhereTheCallSaysSo() {
        hall.with(bucket("a", 1, ofMillis(20)));
        hall.take("a", "k", 1);

        CompletableFuture<String> thread = hall.door()
                .acquire(A, ofMillis(20), task -> new Thread(task, "elsewhere").start())
                .thenApply(decision -> Thread.currentThread().getName());

        assertThat(thread.join()).isEqualTo("elsewhere");
    }

    @Test
    void anExecutorThatTakesNoMoreTasksHoldsNobodyUp() {
        hall.with(bucket("a", 1, ofMillis(20)));
        hall.take("a", "k", 1);
        hall.executor.shutdown();

        assertThat(hall.door()
                        .acquire(A, ofMillis(20))
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join())
                .isInstanceOf(Allowed.class);
    }

    @Test
    void cancellingGivesBack() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        CompletableFuture<Decision> pending = hall.door().acquire(A, ofHours(1));
        assertThat(hall.taken("a", "k")).isEqualTo(2);
        assertThat(hall.door().waiting()).isEqualTo(1);

        pending.cancel(true);

        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThat(hall.door().waiting()).isZero();
        assertThat(hall.door().alarms()).isZero();
    }

    /** The bucket that did not make it wait has refilled meanwhile, and was emptied by others. */
    @Test
    void cancellingGivesBackNothingThatTimeHasRepaid() {
        hall.with(bucket("a", 100, ofMillis(100)), bucket("b", 1, ofSeconds(20)));
        hall.take("b", "k", 1);
        List<Ask> both = List.of(new Ask("a", null, "k", 100), one("b", "k"));
        CompletableFuture<Decision> pending = hall.door().acquire(both, ofHours(1));
        hall.advance(ofSeconds(10));
        hall.take("a", "k", 100);

        pending.cancel(true);

        assertThat(hall.taken("a", "k")).isEqualTo(100);
        assertThat(hall.taken("b", "k")).as("of 20 s, 10 are left").isZero();
    }

    @Test
    void aCallThatIsCancelledWhileItIsDecidedDoesNotWait() {
        hall.with(bucket("a", 1, ofMinutes(1)), bucket("now", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        List<CompletableFuture<Decision>> pending = new CopyOnWriteArrayList<>();
        hall.listeners.add(decision -> pending.forEach(call -> call.cancel(true)));
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote.hold());
            pending.add(hall.door().acquire(A, ofHours(1)));
            pending.add(hall.door().acquire(List.of(one("now", "k")), ofHours(1)));
            remote.answer();

            hall.awaitTaken("a", "k", 1);
            hall.awaitTaken("now", "k", 0);
            Awaitility.await().until(() -> hall.door().alarms() == 0);
            hall.awaitWaiting(0);
        }
    }

    @Test
    void aCallThatIsCancelledAtTheVeryEndOfItsWaitGivesBack() {
        hall.with(bucket("a", 1, ofMillis(20)));
        hall.take("a", "k", 1);
        List<CompletableFuture<Decision>> pending = new CopyOnWriteArrayList<>();
        hall.listeners.add(new RateLimitListener() {
            @Override
            public void onDecision(Decision decision) {}

            @Override
            public void onWait(Allowed decision, long waitedNanos) {
                pending.forEach(call -> call.cancel(true));
            }
        });
        CompletableFuture<Void> known = new CompletableFuture<>();
        pending.add(hall.door()
                .acquire(
                        A,
                        ofHours(1),
                        task -> hall.executor.execute(() -> {
                            known.join();
                            task.run();
                        })));
        known.complete(null);

        assertThatThrownBy(pending.get(0)::join).isInstanceOf(CancellationException.class);
        hall.awaitTaken("a", "k", 1);
    }

    @Test
    void theTimersThreadKeepsNoApplicationAlive() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        CompletableFuture<Decision> pending = hall.door().acquire(A, ofHours(1));

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("ratelimit-waiting"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        pending.cancel(true);
    }

    /** An executor may start a thread for each task, which inherits from the one that hands the task over. */
    @Test
    void handsOnNothingOfWhoeverWaitedFirst() {
        hall.with(bucket("a", 1, ofMillis(20)));
        hall.take("a", "k", 1);
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        Executor each = task -> new Thread(task).start();
        user.set("alice");
        hall.door().acquire(A, ofHours(1), each).join();
        user.set("bob");

        CompletableFuture<String> seen =
                hall.door().acquire(A, ofHours(1), each).thenApply(decision -> "user " + user.get());
        user.remove();
        assertThat(seen.join()).isEqualTo("user null");
    }

    @Test
    void closingGivesBackBeforeItReturnsWhateverTheExecutorDoes() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        CompletableFuture<Decision> pending = hall.door().acquire(A, ofHours(1), task -> {});

        hall.door().close();

        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThat(pending).isNotDone();
    }

    @Test
    void reservesOnlyWhereACallMayWait() {
        hall.with(bucket("a", 5, ofMinutes(1)));
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote);

            hall.door().acquire(A, null).join();
            hall.door().acquireBlocking(A, null);
            assertThat(remote.reservations()).isZero();
            hall.door().acquire(A, ofMillis(1)).join();
            hall.door().acquireBlocking(A, ofMillis(1));
            assertThat(remote.reservations()).isEqualTo(2);
        }
    }

    @Test
    void cancellingGivesBackOnlyWhatNobodyReservedAfterIt() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        CompletableFuture<Decision> first = hall.door().acquire(A, ofHours(1));
        CompletableFuture<Decision> second = hall.door().acquire(A, ofHours(1));

        first.cancel(true);
        assertThat(hall.taken("a", "k")).isEqualTo(3);
        second.cancel(true);
        assertThat(hall.taken("a", "k")).isEqualTo(2);
    }

    @Test
    void lettingItTimeOutGivesBackToo() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);

        CompletableFuture<Decision> pending = hall.door().acquire(A, ofHours(1)).orTimeout(1, TimeUnit.MILLISECONDS);

        assertThatThrownBy(pending::join).hasCauseInstanceOf(TimeoutException.class);
        hall.awaitTaken("a", "k", 1);
        hall.awaitWaiting(0);
    }

    @Test
    void anAnswerThatComesAfterTheCallerHasGoneIsGivenBack() {
        hall.with(bucket("a", 2, ofMinutes(1)));
        hall.take("a", "k", 1);
        try (RemoteStore remote = new RemoteStore(hall.counters).hold()) {
            hall.over(store -> remote);
            CompletableFuture<Decision> now = hall.door().acquire(A, null);
            CompletableFuture<Decision> waits = hall.door().acquire(A, ofHours(1));
            assertThat(hall.taken("a", "k")).isEqualTo(3);

            now.cancel(true);
            waits.cancel(true);
            hall.advance(ofMillis(1));
            remote.answer();

            hall.awaitTaken("a", "k", 0); // of the one taken in the beginning, a millisecond has come back
            assertThat(hall.heard.decisions).isEmpty();
        }
    }

    @Test
    void closingReleasesWhoWaitsAndGivesBack() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        CompletableFuture<Decision> pending = hall.door().acquire(A, ofHours(1));
        CompletableFuture<String> thread =
                pending.handle((decision, failure) -> Thread.currentThread().getName());

        hall.door().close();

        assertThat(thread.join()).isEqualTo("executor");
        assertThatThrownBy(pending::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RateLimiterClosedException.class);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
        assertThatThrownBy(() -> hall.door().acquire(A, ofHours(1)).join())
                .hasCauseInstanceOf(RateLimiterClosedException.class);
        assertThat(hall.taken("a", "k")).isEqualTo(1);
        hall.awaitWaiting(0);
    }

    @Test
    void afterClosingCallsThatNeedNotWaitAreDecidedAsEver() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.door().close();

        assertThat(hall.door().acquire(A, ofHours(1)).join()).isInstanceOf(Allowed.class);
    }
}
