/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemMicrosTests {

    private static final long DAY = 1_800_000_000_000_000_000L;

    /** Both clocks, in nanoseconds; what the JVM counts begins below zero, as it may. */
    private long nanos = -7_654_321;

    private long ofDay = DAY;
    private long readingTakes;
    private int timesRead;

    private SystemMicros clock() {
        return new SystemMicros(() -> nanos, () -> {
            timesRead++;
            long told = ofDay;
            pass(readingTakes);
            return told;
        });
    }

    private void pass(long time) {
        nanos += time;
        ofDay += time;
    }

    private static long ofInstant() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Test
    void isTheTimeInMicroseconds() {
        SystemMicros clock = new SystemMicros();
        for (int i = 0; i < 100; i++) {
            long before = ofInstant();
            long now = clock.getAsLong();
            long after = ofInstant();

            assertThat(now).isBetween(before - 1, after + 1);
        }
    }

    @Test
    void goesOnByNanosecondsAndTellsWholeMicroseconds() {
        SystemMicros clock = clock();
        int before = timesRead;

        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000);
        pass(1_999);
        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 1);
        pass(1);
        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 2);
        pass(997_999);
        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 999);
        assertThat(timesRead).as("readings of the time of day").isEqualTo(before);
        pass(1);
        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 1_000);
        assertThat(timesRead).isEqualTo(before + 1);
    }

    @Test
    void followsAStepForthAndBackWithinAMillisecond() {
        SystemMicros clock = clock();
        for (long step : new long[] {3_600_000_000_000L, -7_200_000_000_000L, 5_000, -5_000, 0}) {
            long unaware = clock.getAsLong();
            ofDay += step;
            pass(999_000);
            assertThat(clock.getAsLong()).as("step %d", step).isEqualTo(unaware + 999);
            pass(1_000);
            assertThat(clock.getAsLong()).as("step %d", step).isEqualTo(ofDay / 1_000);
        }
    }

    /** However long a reading takes, and wherever in that time it is true. */
    @Test
    void doesNotTremble() {
        readingTakes = 40;
        SystemMicros clock = clock();
        for (int i = 0; i < 200; i++) {
            readingTakes = i % 7 == 3 ? 5_000_000 : 40 + i;
            pass(1_000_000);
            long now = ofDay;
            assertThat(clock.getAsLong()).isEqualTo((now - 20) / 1_000);
        }
    }

    /** Both explain what was read, by a time of day that is true when the reading ends. */
    @Test
    void believesAQuickReadingRatherThanASlowOne() {
        readingTakes = 1_000;
        SystemMicros clock = new SystemMicros(() -> nanos, () -> {
            pass(readingTakes);
            return ofDay;
        });
        pass(600);
        assertThat(clock.getAsLong()).isEqualTo((ofDay + 500) / 1_000);

        readingTakes = 100;
        pass(1_000_000);
        long now = ofDay;
        assertThat(clock.getAsLong()).isEqualTo((now + 50) / 1_000).isNotEqualTo((now + 500) / 1_000);
    }

    /** It was true when the reading ended. */
    @Test
    void aTimeOfDayReadAtTheLastMomentIsNoStep() {
        SystemMicros clock = new SystemMicros(() -> nanos, () -> {
            pass(readingTakes);
            return ofDay;
        });
        readingTakes = 10_000;
        pass(1_000_000);

        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 1_000);
    }

    /** It tells microseconds only, and the next one has all but begun. */
    @Test
    void aTimeOfDayThatLeavesOutAllItCanIsNoStep() {
        SystemMicros clock = new SystemMicros(() -> nanos, () -> ofDay / 1_000 * 1_000);
        pass(1_000_999);

        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 1_000);
        pass(1);
        assertThat(clock.getAsLong()).isEqualTo(DAY / 1_000 + 1_001);
    }

    @Test
    void isRightFromTheFirstReadingThoughOneWasHeldUp() {
        readingTakes = 900_000;
        SystemMicros clock = new SystemMicros(() -> nanos, () -> {
            long told = ofDay;
            pass(readingTakes);
            readingTakes = 0;
            return told;
        });

        assertThat(clock.getAsLong()).isEqualTo(ofDay / 1_000);
    }

    @Test
    void doesNotStepBackWhereTheTimeOfDayTellsMicrosecondsOnly() {
        SystemMicros clock = new SystemMicros(() -> nanos, () -> {
            long told = ofDay / 1_000 * 1_000;
            pass(40);
            return told;
        });
        long last = clock.getAsLong();
        for (int i = 0; i < 5_000; i++) {
            pass(999_999 - i % 1_000);
            long justBefore = clock.getAsLong();
            pass(1 + i % 1_000);
            long now = clock.getAsLong();
            assertThat(justBefore).isGreaterThan(last);
            assertThat(now).isBetween(justBefore, justBefore + 2).isBetween(ofDay / 1_000 - 1, ofDay / 1_000);
            last = now;
            pass(337);
        }
    }

    @Test
    void threadsThatCompareAtOnceFindTheSame() throws Exception {
        SystemMicros clock = new SystemMicros();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> furthest = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                furthest.add(threads.submit(() -> {
                    long off = 0;
                    for (int reading = 0; reading < 200_000; reading++) {
                        long before = ofInstant();
                        long now = clock.getAsLong();
                        long after = ofInstant();
                        off = Math.max(off, Math.max(before - now, now - after));
                    }
                    return off;
                }));
            }
            for (Future<Long> off : furthest) {
                assertThat(off.get(60, TimeUnit.SECONDS)).isLessThanOrEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
