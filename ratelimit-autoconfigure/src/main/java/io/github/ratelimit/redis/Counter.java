/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Anchor;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import java.util.List;

/** The kinds of counter that have a script of their own, and what each keeps and needs. */
enum Counter {
    GREEDY('g', "greedy"),
    INTERVAL('i', "interval"),
    FIXED_WINDOW('f', "fixed_window"),
    SLIDING_COUNTER('c', "sliding_counter"),
    SLIDING_LOG('l', "sliding_log");

    private static final long MICROS = 1_000_000;

    /** Some thirty years: added to any time until 2220 it stays exact in Lua. */
    private static final long LONGEST_USUAL_MICROS = 1_000_000_000_000_000L;

    private final char code;
    private final String file;

    Counter(char code, String file) {
        this.code = code;
        this.file = file;
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
    List<String> files() {
        return isBucket() ? List.of("bucket_text", file) : List.of(file);
    }

    /** Whether calls in turn have a usual case that is decided ahead of all else. */
    boolean hasUsual() {
        return this == GREEDY;
    }

    /** The script file with the usual case. */
    String usualFile() {
        return file + "_usual";
    }

    /** The script file with what only giving back needs. */
    String backFile() {
        return file + "_back";
    }

    /** Whether a reservation can be taken back exactly; the others just give the permits back. */
    boolean isBucket() {
        return this == GREEDY || this == INTERVAL;
    }

    /** The limit's numbers in the order the script unpacks them. Shadow limits never pace and never lock. */
    long[] numbers(Limit limit) {
        long penalty = limit.shadow() ? 0 : limit.penalty().toMillis() * 1_000;
        long shadow = limit.shadow() ? 1 : 0;
        return switch (this) {
            case GREEDY -> greedy(limit, penalty, shadow);
            case INTERVAL ->
                new long[] {limit.burst(), penalty, shadow, limit.fingerprint(), limit.periodMicros(), limit.permits()};
            case FIXED_WINDOW ->
                new long[] {
                    limit.permits(), penalty, shadow, limit.periodMicros(), limit.anchor() == Anchor.FIRST_CALL ? 1 : 0
                };
            case SLIDING_COUNTER ->
                new long[] {limit.permits(), penalty, shadow, limit.slotMicros(), limit.slots(), limit.strict() ? 1 : 0
                };
            case SLIDING_LOG -> new long[] {limit.permits(), penalty, shadow, limit.periodMicros()};
        };
    }

    /** Whether calls of this limit may be usual: nothing but a debt in whole microseconds, far from where numbers end. */
    boolean isUsual(Limit limit) {
        return this == GREEDY
                && limit.ticksPerMicro() == 1
                && limit.ticksWhenSpent() <= LONGEST_USUAL_MICROS
                && (limit.shadow() || (limit.penalty().isZero() && !limit.paced()));
    }

    private static long[] greedy(Limit limit, long penalty, long shadow) {
        long ticks = limit.ticksPerMicro();
        long[] permit = inParts(limit.ticksPerPermit(), ticks);
        long[] bucket = inParts(limit.ticksWhenSpent(), ticks);
        long paced = limit.paced() && !limit.shadow() ? 1 : 0;
        return new long[] {
            limit.burst(),
            penalty,
            shadow,
            limit.fingerprint(),
            paced,
            ticks,
            permit[0],
            permit[1],
            permit[2],
            bucket[0],
            bucket[1],
            bucket[2]
        };
    }

    /** Seconds, microseconds and ticks. */
    private static long[] inParts(long time, long ticksPerMicro) {
        long micros = time / ticksPerMicro;
        return new long[] {micros / MICROS, micros % MICROS, time % ticksPerMicro};
    }
}
