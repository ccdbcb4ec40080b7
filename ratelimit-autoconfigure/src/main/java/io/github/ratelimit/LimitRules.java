/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which numbers a limit accepts, and the nearest accepted one for those it does not. */
final class LimitRules {

    static final int DEFAULT_SLOTS = 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final long ALWAYS_ACCEPTED = 1_000_000;
    private static final long LARGEST_BUCKET = 1_000_000_000;
    private static final long LARGEST_LOG = 10_000;
    private static final int MOST_SLOTS = 10_000;
    private static final long EXACT = 1L << 53;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(31);
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private LimitRules() {}

    static void check(LimitBuilder limit) {
        if (!NAME.matcher(limit.name).matches()) {
            throw new InvalidLimitException(
                    shortened(limit.name),
                    "name",
                    "'" + shortened(limit.name) + "'",
                    "is not a name",
                    "Use up to 100 letters, digits, '.', '_' and '-', a letter or digit first.");
        }
        checkOptions(limit);
        checkDuration(limit, "period", limit.period, SHORTEST, LONGEST);
        checkNumbers(limit);
        if (limit.slots != null) {
            checkSlots(limit, limit.slots);
        } else if (limit.algorithm == Algorithm.SLIDING_WINDOW_COUNTER) {
            checkSlots(limit, DEFAULT_SLOTS);
        }
        checkDuration(limit, "penalty", limit.penalty, Duration.ZERO, LONGEST);
        if (limit.maxWait != null) {
            checkDuration(limit, "max-wait", limit.maxWait, Duration.ZERO, LONGEST_WAIT);
        }
    }

    static long effectiveBurst(LimitBuilder limit) {
        return limit.burst == null ? limit.permits : limit.burst;
    }

    static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    private static void checkOptions(LimitBuilder limit) {
        Algorithm is = limit.algorithm;
        belongs(limit, "burst", limit.burst, is.isBucket(), "buckets");
        belongs(limit, "refill", limit.refill, is == Algorithm.TOKEN_BUCKET, "token-bucket");
        belongs(limit, "anchor", limit.anchor, is == Algorithm.FIXED_WINDOW, "fixed-window");
        belongs(limit, "slots", limit.slots, is == Algorithm.SLIDING_WINDOW_COUNTER, "sliding-window-counter");
        belongs(limit, "strict", limit.strict, is == Algorithm.SLIDING_WINDOW_COUNTER, "sliding-window-counter");
        belongs(limit, "pace", limit.pace, is == Algorithm.LEAKY_BUCKET, "leaky-bucket");
        belongs(limit, "large-log", limit.largeLog, is == Algorithm.SLIDING_WINDOW_LOG, "sliding-window-log");
    }

    private static void belongs(LimitBuilder limit, String option, @Nullable Object value, boolean fits, String owner) {
        if (value != null && !fits) {
            String algorithm =
                    limit.algorithm.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            throw new InvalidLimitException(
                    limit.name,
                    option,
                    value,
                    "is an option that " + algorithm + " does not have",
                    "Remove it, or choose another algorithm: it belongs to " + owner + ".");
        }
    }

    private static void checkNumbers(LimitBuilder limit) {
        LongPredicate permits = number -> fits(limit, number, burstFor(limit, number));
        if (!permits.test(limit.permits)) {
            throw refused(limit, "permits", limit.permits, nearestPermits(limit, permits));
        }
        if (limit.burst != null && !fits(limit, limit.permits, limit.burst)) {
            throw refused(limit, "burst", limit.burst, limit.burst < 1 ? 1 : largestBurst(limit));
        }
        if (limit.algorithm == Algorithm.SLIDING_WINDOW_LOG
                && limit.permits > LARGEST_LOG
                && !Boolean.TRUE.equals(limit.largeLog)) {
            throw new InvalidLimitException(
                    limit.name,
                    "permits",
                    limit.permits,
                    "is a lot to remember one by one",
                    "The nearest accepted number is " + LARGEST_LOG
                            + "; set large-log: true to allow more, or use sliding-window-counter.");
        }
    }

    /** The burst to judge permits by: a stated one that is itself out of range is reported under its own name. */
    private static long burstFor(LimitBuilder limit, long permits) {
        return limit.burst == null ? permits : Math.max(1, Math.min(limit.burst, ALWAYS_ACCEPTED));
    }

    private static InvalidLimitException refused(LimitBuilder limit, String attribute, long value, long nearest) {
        return new InvalidLimitException(
                limit.name,
                attribute,
                value,
                value < 1 ? "allows nothing" : "is more than can be counted exactly",
                "The nearest accepted number is " + nearest + ".");
    }

    /** Always up to a million; buckets beyond that while the time to fill, in ticks, is below 2^53. */
    private static boolean fits(LimitBuilder limit, long permits, long burst) {
        if (permits < 1 || burst < 1) {
            return false;
        }
        if (permits <= ALWAYS_ACCEPTED && burst <= ALWAYS_ACCEPTED) {
            return true;
        }
        if (!limit.algorithm.isBucket() || permits > LARGEST_BUCKET || burst > LARGEST_BUCKET) {
            return false;
        }
        return burst <= (EXACT - 1) / ticksPerPermit(limit, permits);
    }

    private static long ticksPerPermit(LimitBuilder limit, long permits) {
        long periodMicros = limit.period.toMillis() * 1_000;
        return periodMicros / greatestCommonDivisor(periodMicros, permits);
    }

    private static long nearestPermits(LimitBuilder limit, LongPredicate accepted) {
        if (limit.permits < 1) {
            return 1;
        }
        long refused = Math.min(limit.permits, LARGEST_BUCKET);
        return limit.algorithm.isBucket()
                ? NearestPermits.to(refused, limit.period.toMillis() * 1_000, ALWAYS_ACCEPTED, EXACT, accepted)
                : ALWAYS_ACCEPTED;
    }

    /** For permits that are accepted with some burst. */
    private static long largestBurst(LimitBuilder limit) {
        long exact = Math.min(LARGEST_BUCKET, (EXACT - 1) / ticksPerPermit(limit, limit.permits));
        return limit.permits <= ALWAYS_ACCEPTED ? Math.max(ALWAYS_ACCEPTED, exact) : exact;
    }

    private static void checkSlots(LimitBuilder limit, int slots) {
        long periodMicros = limit.period.toMillis() * 1_000;
        LongPredicate divides = s -> s >= 1 && s <= MOST_SLOTS && periodMicros % s == 0;
        if (!divides.test(slots)) {
            throw new InvalidLimitException(
                    limit.name,
                    "slots",
                    slots,
                    slots > MOST_SLOTS
                            ? "is more than " + MOST_SLOTS + " counts to look at in every decision"
                            : "does not divide the period into whole microseconds",
                    "The nearest accepted number is " + nearestSlots(slots, divides) + ".");
        }
    }

    private static void checkDuration(
            LimitBuilder limit, String attribute, Duration value, Duration shortest, Duration longest) {
        Duration atLeast = value.compareTo(shortest) < 0 ? shortest : value;
        Duration nearest = atLeast.compareTo(longest) > 0 ? longest : wholeMillis(atLeast);
        if (!nearest.equals(value)) {
            throw new InvalidLimitException(
                    limit.name,
                    attribute,
                    inWords(value),
                    "is not a whole number of milliseconds from " + inWords(shortest) + " to " + inWords(longest),
                    "The nearest accepted duration is " + inWords(nearest) + ".");
        }
    }

    /** The nearest whole milliseconds, the smaller ones of two equally near. */
    private static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(duration.plusNanos(499_999).toMillis());
    }

    /** In the largest unit that is whole, from days to milliseconds. */
    private static String inWords(Duration duration) {
        long hours = duration.toHours();
        if (hours != 0 && duration.equals(Duration.ofHours(hours))) {
            return hours % 24 == 0 ? hours / 24 + "d" : hours + "h";
        }
        long seconds = duration.toSeconds();
        if (Math.abs(seconds / 2) > Long.MAX_VALUE / 4_000) {
            return duration.toString();
        }
        if (duration.equals(Duration.ofSeconds(seconds))) {
            return seconds != 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
        }
        return duration.equals(Duration.ofMillis(duration.toMillis()))
                ? duration.toMillis() + "ms"
                : duration.toString();
    }

    /** The smaller one of two equally close; 1 is always accepted. */
    private static long nearestSlots(int slots, LongPredicate accepted) {
        int start = Math.max(1, Math.min(slots, MOST_SLOTS));
        int distance = 0;
        while (!accepted.test(start - distance) && !accepted.test(start + distance)) {
            distance++;
        }
        return accepted.test(start - distance) ? start - distance : start + distance;
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
