/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What one call takes of one limit.
 *
 * @param limit the limit, with the numbers that hold for this call
 * @param key who is counted; empty: one counter for everyone
 * @param cost how many permits the call takes; a cost of 0 is always granted
 * @param maxWaitMicros how long a bucket may make the call wait, in microseconds; windows do not wait
 */
public record Charge(Limit limit, String key, long cost, long maxWaitMicros) {

    /** The longest wait anybody may ask for: one hour. */
    public static final long LONGEST_WAIT_MICROS = 3_600_000_000L;

    /** Checks the numbers; a wait beyond {@link #LONGEST_WAIT_MICROS} is cut to it. */
    public Charge {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(key, "key");
        if (cost < 0) {
            throw new IllegalArgumentException("Limit '%s': cost = %d is negative. Costs are 0 or more; to give permits"
                            .formatted(limit.name(), cost)
                    + " back, use refund.");
        }
        if (maxWaitMicros < 0) {
            throw new IllegalArgumentException("Limit '%s': maxWait = %d µs is negative. Use 0 to be denied at once."
                    .formatted(limit.name(), maxWaitMicros));
        }
        maxWaitMicros = Math.min(maxWaitMicros, LONGEST_WAIT_MICROS);
    }

    /** A charge that does not wait. */
    public static Charge of(Limit limit, String key, long cost) {
        return new Charge(limit, key, cost, 0);
    }

    /** Both charges of one counter as one: the sum of the costs, the shorter wait. */
    public Charge plus(Charge other) {
        long sum = cost + other.cost;
        return new Charge(limit, key, sum < 0 ? Long.MAX_VALUE : sum, Math.min(maxWaitMicros, other.maxWaitMicros));
    }

    /** The same charge, willing to wait this long. */
    public Charge waiting(long maxWaitMicros) {
        return new Charge(limit, key, cost, maxWaitMicros);
    }

    /** The charges as a store counts them: those of one counter added up, each in the place of the first. */
    public static List<Charge> onePerCounter(List<Charge> charges) {
        List<Charge> counted = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            int same = 0;
            while (same < counted.size() && !counted.get(same).isOfCounterOf(charge)) {
                same++;
            }
            if (same < counted.size()) {
                counted.set(same, counted.get(same).plus(charge));
            } else {
                counted.add(charge);
            }
        }
        return counted;
    }

    private boolean isOfCounterOf(Charge other) {
        return key.equals(other.key)
                && limit.name().equals(other.limit.name())
                && limit.shape().equals(other.limit.shape());
    }
}
