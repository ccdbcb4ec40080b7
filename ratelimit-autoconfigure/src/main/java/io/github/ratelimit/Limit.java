/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much is allowed: permits per period, by an algorithm. Immutable, and valid or not there at all.
 *
 * <p>A limit is a value that travels with every call; nothing is registered under it. Besides the numbers as the user
 * states them it holds the ones that counting needs, worked out once. Buckets reckon in <em>ticks</em>: one permit takes
 * {@code period / permits} microseconds, a fraction that is reduced to {@code ticksPerPermit / ticksPerMicro}, so that a
 * permit and a microsecond are both whole numbers of ticks and nothing is ever rounded.
 */
public final class Limit {

    /** The key of a limit that has one counter for everyone. */
    public static final String EVERYONE = "";

    private final LimitBuilder stated;
    private final long burst;
    private final long periodMicros;
    private final long ticksPerPermit;
    private final long ticksPerMicro;
    private final int fingerprint;
    private final String shape;
    private final int hash;

    Limit(LimitBuilder checked, long burst) {
        this.stated = checked;
        this.burst = burst;
        this.periodMicros = checked.period.toMillis() * 1_000;
        long divisor = LimitRules.greatestCommonDivisor(periodMicros, checked.permits);
        this.ticksPerPermit = periodMicros / divisor;
        this.ticksPerMicro = checked.permits / divisor;
        this.fingerprint = fingerprint(burst, checked.permits, checked.period.toMillis());
        this.shape = shapeOf(checked);
        this.hash = Objects.hash(checked.name, checked.algorithm, checked.permits, checked.period, burst, checked.plan);
    }

    /** A limit in the making. */
    public static LimitBuilder named(String name) {
        return new LimitBuilder(name);
    }

    /** A builder that starts from this limit, to change some of it. */
    public LimitBuilder with() {
        return new LimitBuilder(stated);
    }

    /** The name, as in {@code ratelimit.limits.<name>}. */
    public String name() {
        return stated.name;
    }

    /** How permits are counted. */
    public Algorithm algorithm() {
        return stated.algorithm;
    }

    /** How many permits there are per period. */
    public long permits() {
        return stated.permits;
    }

    /** The period. */
    public Duration period() {
        return stated.period;
    }

    /** The period in microseconds. */
    public long periodMicros() {
        return periodMicros;
    }

    /** What a bucket holds; for the other algorithms the permits. */
    public long burst() {
        return burst;
    }

    /** How a token bucket refills. */
    public Refill refill() {
        return stated.refill == null ? Refill.GREEDY : stated.refill;
    }

    /** Where a fixed window begins. */
    public Anchor anchor() {
        return stated.anchor == null ? Anchor.CLOCK : stated.anchor;
    }

    /** Into how many parts a sliding window counter divides the period. */
    public int slots() {
        return stated.slots == null ? LimitRules.DEFAULT_SLOTS : stated.slots;
    }

    /** One slot of a sliding window counter in microseconds. */
    public long slotMicros() {
        return periodMicros / slots();
    }

    /** Whether the slot that leaves a sliding window counter counts in full; else by its overlap. */
    public boolean strict() {
        return stated.strict == null || stated.strict;
    }

    /** Whether a leaky bucket delays its calls until their departure; else it only meters. */
    public boolean paced() {
        return stated.algorithm == Algorithm.LEAKY_BUCKET && (stated.pace == null || stated.pace);
    }

    /** How long a key stays denied after a denial; zero: no penalty. */
    public Duration penalty() {
        return stated.penalty;
    }

    /** Whether this limit only watches: counted and reported, never enforced. */
    public boolean shadow() {
        return stated.shadow;
    }

    /** Whether the store keeps a digest of the key instead of the key. */
    public boolean digestKeys() {
        return stated.digestKeys;
    }

    /** Whether every instance counts for itself. */
    public boolean perInstance() {
        return stated.perInstance;
    }

    /** What happens when the store cannot answer. */
    public FailurePolicy onStoreFailure() {
        return stated.onStoreFailure;
    }

    /** How long callers wait that do not say so themselves, or {@code null} where nothing was stated. */
    public @Nullable Duration maxWait() {
        return stated.maxWait;
    }

    /** The plan whose numbers these are, or {@code null} for the base numbers. */
    public @Nullable String plan() {
        return stated.plan;
    }

    /** Buckets: how many ticks one permit takes. */
    public long ticksPerPermit() {
        return ticksPerPermit;
    }

    /** Buckets: how many ticks a microsecond has. */
    public long ticksPerMicro() {
        return ticksPerMicro;
    }

    /** Buckets: how many ticks it takes from empty to full. Fits a long for every accepted limit. */
    public long ticksWhenSpent() {
        return burst * ticksPerPermit;
    }

    /**
     * A mark from 0 to 996 that a bucket leaves on its state, to notice later that its numbers have changed. Changing one
     * number by anything but a multiple of 997 is always noticed.
     */
    public int fingerprint() {
        return fingerprint;
    }

    /**
     * A short text that stands for the form in which the used permits are kept. Limits of one shape read each other's
     * state; another shape is another counter. Ends in the version of the form and, for windows, the period.
     */
    public String shape() {
        return shape;
    }

    private String shapeOf(LimitBuilder stated) {
        long period = stated.period.toMillis();
        return switch (stated.algorithm) {
            case TOKEN_BUCKET -> refill() == Refill.INTERVAL ? "ti1" : "tb1";
            case LEAKY_BUCKET -> "lb1";
            case FIXED_WINDOW -> (anchor() == Anchor.FIRST_CALL ? "ff1-" : "fw1-") + period;
            case SLIDING_WINDOW_LOG -> "sl2-" + period;
            case SLIDING_WINDOW_COUNTER -> "sc1-" + period + "-" + slots() + (strict() ? "s" : "w");
        };
    }

    private static int fingerprint(long burst, long permits, long periodMillis) {
        return (int) ((burst % 997 * 31 + permits % 997 * 37 + periodMillis % 997 * 41) % 997);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Limit that
                        && hash == that.hash
                        && burst == that.burst
                        && stated.says(that.stated));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "%s: %d per %s by %s".formatted(name(), permits(), period(), algorithm());
    }
}
