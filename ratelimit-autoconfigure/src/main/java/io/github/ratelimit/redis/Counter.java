/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Anchor;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;

/** The kinds of counter that have a script of their own, and what each keeps and needs. */
enum Counter {
    GREEDY('g', "bucket_text", "greedy"),
    INTERVAL('i', "bucket_text", "interval"),
    FIXED_WINDOW('f', "fixed_window"),
    SLIDING_COUNTER('c', "sliding_counter"),
    SLIDING_LOG('l', "sliding_log");

    private static final double MICROS_PER_SECOND = 1e6;

    private final char code;
    private final String[] files;

    Counter(char code, String... files) {
        this.code = code;
        this.files = files;
    }

    /** The letter by which a script for several limits tells the counters apart. */
    char code() {
        return code;
    }

    static Counter of(Limit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> limit.refill() == Refill.INTERVAL ? INTERVAL : GREEDY;
            case LEAKY_BUCKET -> GREEDY;
            case FIXED_WINDOW -> FIXED_WINDOW;
            case SLIDING_WINDOW_COUNTER -> SLIDING_COUNTER;
            case SLIDING_WINDOW_LOG -> SLIDING_LOG;
        };
    }

    /** The script files that count, without what only giving back needs. */
    String[] files() {
        return files;
    }

    /** The script file with what only giving back needs. */
    String backFile() {
        return files[files.length - 1] + "_back";
    }

    /** Whether a reservation can be taken back exactly; the others just give the permits back. */
    boolean isBucket() {
        return this == GREEDY || this == INTERVAL;
    }

    /** The limit's numbers in the order the script unpacks them. Shadow limits never pace and never lock. */
    double[] numbers(Limit limit) {
        double penalty = limit.shadow() ? 0 : limit.penalty().toMillis() * 1_000d;
        double shadow = limit.shadow() ? 1 : 0;
        return switch (this) {
            case GREEDY -> greedy(limit, penalty, shadow);
            case INTERVAL ->
                new double[] {limit.burst(), penalty, shadow, limit.fingerprint(), limit.periodMicros(), limit.permits()
                };
            case FIXED_WINDOW ->
                new double[] {
                    limit.permits(), penalty, shadow, limit.periodMicros(), limit.anchor() == Anchor.FIRST_CALL ? 1 : 0
                };
            case SLIDING_COUNTER ->
                new double[] {
                    limit.permits(), penalty, shadow, limit.slotMicros(), limit.slots(), limit.strict() ? 1 : 0
                };
            case SLIDING_LOG -> new double[] {limit.permits(), penalty, shadow, limit.periodMicros()};
        };
    }

    private static double[] greedy(Limit limit, double penalty, double shadow) {
        long ticks = limit.ticksPerMicro();
        long permit = limit.ticksPerPermit();
        long bucket = limit.ticksWhenSpent();
        return new double[] {
            limit.burst(),
            penalty,
            shadow,
            limit.fingerprint(),
            limit.paced() && !limit.shadow() ? 1 : 0,
            ticks,
            Math.floor(permit / ticks / MICROS_PER_SECOND),
            permit / ticks % 1_000_000,
            permit % ticks,
            bucket / ticks / 1_000_000,
            bucket / ticks % 1_000_000,
            bucket % ticks
        };
    }
}
