/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.store.Breaker.Pass;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BreakerTests {

    private static final long LONGEST = 4_000_000_000L;
    private static final long T0 = 1_000;

    private double random;
    private final Breaker breaker = new Breaker(T0, LONGEST, () -> random);

    private boolean fail(long at) {
        return breaker.failed(breaker.pass(at), at, at);
    }

    private void open(long at) {
        while (!fail(at)) {
            assertThat(breaker.isOpen()).isFalse();
        }
    }

    @Test
    void aFewFailuresInARowOpenIt() {
        assertThat(fail(T0)).isFalse();
        assertThat(fail(T0)).isFalse();
        assertThat(fail(T0)).isTrue();
        assertThat(breaker.isOpen()).isTrue();
        assertThat(breaker.pass(T0)).isEqualTo(Pass.NONE);
    }

    @Test
    void aSuccessBetweenFailuresKeepsItClosed() {
        for (int i = 0; i < 10; i++) {
            fail(T0);
            fail(T0);
            breaker.succeeded(Pass.FREE, T0);
        }
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void afterAPauseOneProbePassesAlone() {
        open(T0);
        long probe = T0 + Breaker.FIRST_PAUSE_NANOS;
        assertThat(breaker.pass(probe - 1)).isEqualTo(Pass.NONE);
        assertThat(breaker.pass(probe)).isEqualTo(Pass.PROBE);
        assertThat(breaker.pass(probe)).isEqualTo(Pass.NONE);
        assertThat(breaker.pass(probe + LONGEST)).isEqualTo(Pass.NONE);
        assertThat(breaker.succeeded(Pass.PROBE, probe)).isTrue();
        assertThat(breaker.pass(probe)).isEqualTo(Pass.FREE);
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        open(T0);
        long at = T0;
        for (long pause = Breaker.FIRST_PAUSE_NANOS; pause < 4 * LONGEST; pause *= 2) {
            at += Math.min(pause, LONGEST);
            assertThat(breaker.pass(at - 1)).isEqualTo(Pass.NONE);
            assertThat(breaker.pass(at)).isEqualTo(Pass.PROBE);
            assertThat(breaker.failed(Pass.PROBE, at, at)).isFalse();
        }
    }

    @Test
    void chanceShortensAPauseByUpToHalf() {
        random = 0.999_999;
        open(T0);
        assertThat(breaker.pass(T0 + Breaker.FIRST_PAUSE_NANOS / 2 - 1)).isEqualTo(Pass.NONE);
        assertThat(breaker.pass(T0 + Breaker.FIRST_PAUSE_NANOS / 2 + 1_000)).isEqualTo(Pass.PROBE);
    }

    @Test
    void aProbeThatWasNotUsedLetsAnotherPass() {
        open(T0);
        long probe = T0 + Breaker.FIRST_PAUSE_NANOS;
        breaker.unused(breaker.pass(probe), probe);
        assertThat(breaker.pass(probe)).isEqualTo(Pass.PROBE);
    }

    @Test
    void aFailureOfACallFromBeforeItClosedIsNotCounted() {
        open(T0);
        long probe = T0 + Breaker.FIRST_PAUSE_NANOS;
        breaker.succeeded(breaker.pass(probe), probe);
        for (int i = 0; i < 10; i++) {
            assertThat(breaker.failed(Pass.FREE, T0, probe + 1)).isFalse();
        }
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void ofManyThreadsOneGetsTheProbe() throws Exception {
        for (int round = 0; round < 200; round++) {
            Breaker raced = new Breaker(T0, LONGEST, () -> 0);
            for (int i = 0; i < Breaker.FAILURES_TO_OPEN; i++) {
                raced.failed(raced.pass(T0), T0, T0);
            }
            AtomicInteger probes = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    awaitQuietly(start);
                    if (raced.pass(T0 + LONGEST) == Pass.PROBE) {
                        probes.incrementAndGet();
                    }
                });
                threads[i].start();
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(probes).hasValue(1);
        }
    }

    @Test
    void countsItselfWhileItIsNotClosed() {
        AtomicInteger notClosed = new AtomicInteger();
        Breaker counted = new Breaker(T0, LONGEST, () -> 0, notClosed);
        for (int i = 0; i < Breaker.FAILURES_TO_OPEN; i++) {
            assertThat(notClosed).hasValue(0);
            counted.failed(counted.pass(T0), T0, T0);
        }
        assertThat(notClosed).hasValue(1);
        counted.open(T0);
        assertThat(notClosed).hasValue(1);
        Pass probe = counted.pass(T0 + LONGEST);
        assertThat(probe).isEqualTo(Pass.PROBE);
        assertThat(notClosed).hasValue(1);
        counted.failed(probe, T0 + LONGEST, T0 + LONGEST);
        assertThat(notClosed).hasValue(1);
        counted.succeeded(counted.pass(T0 + 3 * LONGEST), T0 + 3 * LONGEST);
        assertThat(notClosed).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
