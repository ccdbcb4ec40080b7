/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The system's clock in microseconds since 1970, UTC: where windows begin is the same on every machine.
 *
 * <p>The time of day takes longer to read than the nanoseconds that the JVM counts from anywhere. So read are the nanoseconds,
 * and to them comes what they lack of the time of day, which is compared anew by whoever comes when the last comparison is a
 * millisecond old. A step of the time of day, forth or back, is followed by then. Nobody has to keep anything up, and threads that
 * compare at once find the same.
 *
 * <p>Between the steps time goes on evenly: what they lacked at the last comparison stays as long as it lies between what they
 * lacked before and after the time of day was read, unless that was read quicker than ever. So it does not tremble with how long that took, nor believe a
 * thread that was held up meanwhile.
 */
final class SystemMicros implements LongSupplier {

    private static final long MOST_NANOS = 1_000_000;
    private static final int COMPARED_FIRST = 10;

    /** What clocks may leave out that tell no more than microseconds. */
    private static final long LEFT_OUT_NANOS = 999;

    private final LongSupplier nanos;
    private final LongSupplier nanosOfDay;
    private volatile Comparison last;

    SystemMicros() {
        this(System::nanoTime, SystemMicros::nanosSince1970);
    }

    /** A clock from what the JVM counts and the time since 1970, both in nanoseconds. */
    SystemMicros(LongSupplier nanos, LongSupplier nanosOfDay) {
        this.nanos = nanos;
        this.nanosOfDay = nanosOfDay;
        Comparison first = new Comparison(0, 0, Long.MAX_VALUE);
        for (int i = 0; i < COMPARED_FIRST; i++) {
            first = compare(first);
        }
        this.last = first;
    }

    /** The time of day, which fits a long until 2262. */
    private static long nanosSince1970() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    /**
     * What both clocks said.
     *
     * @param at the nanoseconds
     * @param lacking what they lack of the time of day
     * @param took how long the reading took that told it
     */
    private record Comparison(long at, long lacking, long took) {}

    @Override
    public long getAsLong() {
        long now = nanos.getAsLong();
        Comparison present = last;
        if (now - present.at >= MOST_NANOS) {
            present = compare(present);
            last = present;
        }
        return (now + present.lacking) / 1_000;
    }

    private Comparison compare(Comparison known) {
        long before = nanos.getAsLong();
        long ofDay = nanosOfDay.getAsLong();
        long after = nanos.getAsLong();
        long took = after - before;
        boolean explains = known.lacking >= ofDay - after && known.lacking <= ofDay - before + LEFT_OUT_NANOS;
        return explains && known.took <= took
                ? new Comparison(before, known.lacking, known.took)
                : new Comparison(before, ofDay - before - took / 2, took);
    }
}
