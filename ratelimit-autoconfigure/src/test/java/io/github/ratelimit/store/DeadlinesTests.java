/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.store.Deadlines.Alarm;
import io.github.ratelimit.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DeadlinesTests {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<String> rung = new ArrayList<>();
    private final Deadlines deadlines = new Deadlines(nanos::get, 10);

    private Alarm set(Runnable task) {
        return deadlines.set(nanos.get(), task);
    }

    @Test
    void ringsOnceWhenItIsTime() {
        set(() -> rung.add("one"));
        nanos.addAndGet(9);
        assertThat(deadlines.ring()).isOne();
        assertThat(rung).isEmpty();
        nanos.addAndGet(1);
        assertThat(deadlines.ring()).isEqualTo(Deadlines.NONE);
        deadlines.ring();
        assertThat(rung).containsExactly("one");
    }

    @Test
    void eitherRingsOrIsSilencedInTime() {
        Alarm silenced = set(() -> rung.add("silenced"));
        Alarm late = set(() -> rung.add("late"));
        assertThat(silenced.off()).isTrue();
        assertThat(silenced.off()).isFalse();
        nanos.addAndGet(10);
        deadlines.ring();
        assertThat(late.off()).isFalse();
        assertThat(rung).containsExactly("late");
    }

    @Test
    void whoHasWaitedBeforeIsDueEarlier() {
        List<Long> due = new ArrayList<>();
        deadlines.onSet(due::add);
        long now = nanos.get();
        set(() -> rung.add("now"));
        deadlines.set(now - 6, () -> rung.add("waited"));
        assertThat(due).containsExactly(now + 10, now + 4);
        assertThat(deadlines.ring()).isEqualTo(4);
        nanos.addAndGet(4);
        assertThat(deadlines.ring()).isEqualTo(6);
        assertThat(rung).containsExactly("waited");
        assertThat(deadlines.isOver(now - 5, now + 4)).isFalse();
        assertThat(deadlines.isOver(now - 6, now + 4)).isTrue();
    }

    @Test
    void whatComesWhileOthersRingIsNotForgotten() {
        deadlines.set(nanos.get() - 10, () -> nanos.addAndGet(7));
        set(() -> rung.add("next"));
        assertThat(deadlines.ring()).isEqualTo(3);
    }

    @Test
    void dropsWhatIsSilentBehindOthersWhenItRings() {
        Alarm first = set(() -> rung.add("first"));
        Alarm second = set(() -> rung.add("second"));
        second.off();
        deadlines.ring();
        first.off();
        assertThat(deadlines.isEmpty()).isTrue();
    }

    @Test
    void keepsNothingThatIsSilentButWhatStandsBehindOthers() {
        Alarm first = set(() -> rung.add("first"));
        Alarm second = set(() -> rung.add("second"));
        second.off();
        assertThat(deadlines.isEmpty()).isFalse();
        first.off();
        assertThat(deadlines.isEmpty()).isTrue();
    }

    @Test
    void ringsAtOnceOnceClosed() {
        Alarm before = set(() -> rung.add("before"));
        deadlines.close();
        assertThat(rung).containsExactly("before");
        set(() -> rung.add("after"));
        assertThat(rung).containsExactly("before", "after");
        assertThat(before.off()).isFalse();
    }

    /** The thread sleeps until the first is due; who has waited before is due earlier. */
    @Test
    void theThreadWakesForWhoIsDueEarlier() {
        Deadlines ofMinutes =
                new Deadlines(System::nanoTime, Duration.ofMinutes(10).toNanos());
        DeadlineThread.start(ofMinutes, Duration.ofMillis(1).toNanos());
        CompletableFuture<String> rang = new CompletableFuture<>();
        ofMinutes.set(System.nanoTime(), () -> rang.complete("the first"));
        Eventually.until("the thread sleeps", Duration.ofSeconds(30), DeadlinesTests::threadSleeps);
        ofMinutes.set(
                System.nanoTime() - Duration.ofMinutes(10).minusMillis(20).toNanos(),
                () -> rang.complete("the second"));
        assertThat(rang.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("the second");
        ofMinutes.close();
    }

    /** Whoever is set behind the last that it looks at it does not see: here, when it reads the clock for the second time. */
    @Test
    void theThreadHearsOfWhatIsSetWhileItLooks() {
        AtomicInteger reads = new AtomicInteger(Integer.MIN_VALUE);
        AtomicReference<Runnable> atTheEnd = new AtomicReference<>();
        Deadlines ofAnHour = new Deadlines(
                () -> {
                    if (reads.incrementAndGet() == 2) {
                        Objects.requireNonNull(atTheEnd.get()).run();
                    }
                    return System.nanoTime();
                },
                Duration.ofHours(1).toNanos());
        CompletableFuture<String> rang = new CompletableFuture<>();
        atTheEnd.set(() -> ofAnHour.set(
                System.nanoTime() - Duration.ofHours(1).minusMillis(20).toNanos(), () -> rang.complete("the next")));
        DeadlineThread.start(ofAnHour, Duration.ofMillis(1).toNanos());
        ofAnHour.set(System.nanoTime(), () -> rang.complete("the last"));
        Eventually.until("the thread sleeps", Duration.ofSeconds(30), DeadlinesTests::threadSleeps);
        reads.set(0);
        ofAnHour.set(System.nanoTime() - Duration.ofMinutes(30).toNanos(), () -> rang.complete("the other"));
        assertThat(rang.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("the next");
        ofAnHour.close();
    }

    /** Whoever is told may do what he likes, and others are due at the same time. */
    @Test
    void whoeverKeepsAThreadThatRingsKeepsNoAlarmFromRinging() {
        Deadlines soon = new Deadlines(System::nanoTime, 0);
        DeadlineThread.start(soon, Duration.ofMillis(1).toNanos());
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch kept = new CountDownLatch(5);
        CompletableFuture<String> rang = new CompletableFuture<>();
        for (int i = 0; i < 5; i++) {
            soon.set(System.nanoTime(), () -> {
                kept.countDown();
                awaitHere(end);
            });
        }
        soon.set(System.nanoTime(), () -> {
            awaitHere(kept);
            rang.complete("the last");
        });
        assertThat(rang.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("the last");
        end.countDown();
        soon.close();
    }

    @Test
    void whatFailsWhenItRingsKeepsNoOtherFromRinging() {
        Deadlines soon = new Deadlines(System::nanoTime, 0);
        DeadlineThread.start(soon, Duration.ofMillis(1).toNanos());
        CompletableFuture<String> rang = new CompletableFuture<>();
        soon.set(System.nanoTime(), () -> {
            throw new IllegalStateException("the first");
        });
        soon.set(System.nanoTime(), () -> rang.complete("the second"));
        assertThat(rang.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("the second");
        soon.close();
    }

    private static void awaitHere(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean threadSleeps() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ratelimit-store-deadlines"))
                .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
