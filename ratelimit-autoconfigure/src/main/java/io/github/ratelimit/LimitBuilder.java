/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link Limit} in the making. What is not stated has the default that the limit's accessor describes. */
public final class LimitBuilder {

    final String name;
    Algorithm algorithm = Algorithm.TOKEN_BUCKET;
    long permits;
    Duration period = Duration.ofMinutes(1);

    @Nullable
    Long burst;

    @Nullable
    Refill refill;

    @Nullable
    Anchor anchor;

    @Nullable
    Integer slots;

    @Nullable
    Boolean strict;

    @Nullable
    Boolean pace;

    @Nullable
    Boolean largeLog;

    @Nullable
    Duration maxWait;

    Duration penalty = Duration.ZERO;
    boolean shadow;
    boolean digestKeys;
    boolean perInstance;
    FailurePolicy onStoreFailure = FailurePolicy.LOCAL;

    @Nullable
    String plan;

    LimitBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    LimitBuilder(LimitBuilder other) {
        this.name = other.name;
        this.algorithm = other.algorithm;
        this.permits = other.permits;
        this.period = other.period;
        this.burst = other.burst;
        this.refill = other.refill;
        this.anchor = other.anchor;
        this.slots = other.slots;
        this.strict = other.strict;
        this.pace = other.pace;
        this.largeLog = other.largeLog;
        this.maxWait = other.maxWait;
        this.penalty = other.penalty;
        this.shadow = other.shadow;
        this.digestKeys = other.digestKeys;
        this.perInstance = other.perInstance;
        this.onStoreFailure = other.onStoreFailure;
        this.plan = other.plan;
    }

    /** How permits are counted; a token bucket unless stated. */
    public LimitBuilder algorithm(Algorithm algorithm) {
        this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
        return this;
    }

    /** How many permits there are per period. */
    public LimitBuilder permits(long permits) {
        this.permits = permits;
        return this;
    }

    /** The period; a minute unless stated. */
    public LimitBuilder period(Duration period) {
        this.period = Objects.requireNonNull(period, "period");
        return this;
    }

    /** What a bucket holds; {@code null}: the permits. */
    public LimitBuilder burst(@Nullable Long burst) {
        this.burst = burst;
        return this;
    }

    /** How a token bucket refills. */
    public LimitBuilder refill(@Nullable Refill refill) {
        this.refill = refill;
        return this;
    }

    /** Where a fixed window begins. */
    public LimitBuilder anchor(@Nullable Anchor anchor) {
        this.anchor = anchor;
        return this;
    }

    /** Into how many parts a sliding window counter divides the period. */
    public LimitBuilder slots(@Nullable Integer slots) {
        this.slots = slots;
        return this;
    }

    /** Whether the slot that leaves a sliding window counter counts in full. */
    public LimitBuilder strict(@Nullable Boolean strict) {
        this.strict = strict;
        return this;
    }

    /** Whether a leaky bucket delays its calls. */
    public LimitBuilder pace(@Nullable Boolean pace) {
        this.pace = pace;
        return this;
    }

    /** Whether a sliding window log may remember more than 10,000 grants. */
    public LimitBuilder largeLog(@Nullable Boolean largeLog) {
        this.largeLog = largeLog;
        return this;
    }

    /** How long callers wait that do not say so themselves. */
    public LimitBuilder maxWait(@Nullable Duration maxWait) {
        this.maxWait = maxWait;
        return this;
    }

    /** How long a key stays denied after a denial; zero: no penalty. */
    public LimitBuilder penalty(Duration penalty) {
        this.penalty = Objects.requireNonNull(penalty, "penalty");
        return this;
    }

    /** Whether the limit only watches. */
    public LimitBuilder shadow(boolean shadow) {
        this.shadow = shadow;
        return this;
    }

    /** Whether the store keeps a digest of the key. */
    public LimitBuilder digestKeys(boolean digestKeys) {
        this.digestKeys = digestKeys;
        return this;
    }

    /** Whether every instance counts for itself. */
    public LimitBuilder perInstance(boolean perInstance) {
        this.perInstance = perInstance;
        return this;
    }

    /** What happens when the store cannot answer. */
    public LimitBuilder onStoreFailure(FailurePolicy onStoreFailure) {
        this.onStoreFailure = Objects.requireNonNull(onStoreFailure, "onStoreFailure");
        return this;
    }

    /** The plan whose numbers these are. */
    public LimitBuilder plan(@Nullable String plan) {
        this.plan = plan;
        return this;
    }

    /**
     * The limit.
     *
     * @throws InvalidLimitException naming the first value that is not accepted, and the nearest that is
     */
    public Limit build() {
        LimitRules.check(this);
        return new Limit(new LimitBuilder(this), LimitRules.effectiveBurst(this));
    }

    boolean says(LimitBuilder that) {
        return name.equals(that.name)
                && algorithm == that.algorithm
                && permits == that.permits
                && period.equals(that.period)
                && refill == that.refill
                && anchor == that.anchor
                && Objects.equals(slots, that.slots)
                && Objects.equals(strict, that.strict)
                && Objects.equals(pace, that.pace)
                && Objects.equals(maxWait, that.maxWait)
                && penalty.equals(that.penalty)
                && shadow == that.shadow
                && digestKeys == that.digestKeys
                && perInstance == that.perInstance
                && onStoreFailure == that.onStoreFailure
                && Objects.equals(plan, that.plan);
    }
}
