/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits as this instance enforces them alone: with its share of the permits, rounded down, but at least one. A share
 * whose exact fraction a bucket cannot count is rounded down to fewer digits.
 *
 * <p>They are objects of their own even where the share is everything, and known again: so a hold tells who holds it. Numbers come
 * and go, so those that nobody holds are forgotten; one that somebody does is the same as long as he does.
 */
final class LocalShare {

    /** Up to here every number is accepted. */
    private static final long ALWAYS_ACCEPTED = 1_000_000;

    /** There are as many limits as there are numbers in force; past this somebody makes them up. */
    static final int MOST_LIMITS = 10_000;

    private final double share;

    /** By the limit as it is stated. */
    private final ConcurrentHashMap<Limit, Limit> shares = new ConcurrentHashMap<>();

    /** By a limit of the same numbers, which keeps nobody's from being forgotten. */
    private final ConcurrentHashMap<Limit, WeakReference<Limit>> made = new ConcurrentHashMap<>();

    private int mostMade = MOST_LIMITS;

    LocalShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "ratelimit.local-share = " + share + " is not a share. Use a number above 0, up to 1.");
        }
        this.share = share;
    }

    Charge of(Charge charge) {
        return new Charge(of(charge.limit()), charge.key(), charge.cost(), charge.maxWaitMicros());
    }

    Limit of(Limit limit) {
        if (isMade(limit)) {
            return limit;
        }
        Limit known = shares.get(limit);
        if (known != null) {
            return known;
        }
        if (shares.size() >= MOST_LIMITS) {
            shares.clear();
        }
        return shares.computeIfAbsent(limit, this::make);
    }

    /** Whether this is one of ours, and not a limit like it. */
    boolean isMade(Limit limit) {
        WeakReference<Limit> one = made.get(limit);
        return one != null && one.refersTo(limit);
    }

    /** Whether these are charges of a local hold: those of one reservation all are, or none is. */
    boolean isMade(List<Charge> charges) {
        return isMade(charges.get(0).limit());
    }

    private synchronized Limit make(Limit limit) {
        Limit fresh = scaled(limit);
        WeakReference<Limit> before = made.get(fresh);
        Limit earlier = before == null ? null : before.get();
        if (earlier != null) {
            return earlier;
        }
        if (made.size() >= mostMade) {
            made.values().removeIf(one -> one.refersTo(null));
            mostMade = Math.max(MOST_LIMITS, 2 * made.size());
        }
        made.put(scaled(limit), new WeakReference<>(fresh));
        return fresh;
    }

    private Limit scaled(Limit limit) {
        long permits = Math.max(1, (long) (limit.permits() * share));
        long burst = Math.max(1, (long) (limit.burst() * share));
        for (long unit = 1; unit <= permits; unit *= 10) {
            Limit rounded = buildIfAccepted(limit, permits - permits % unit, burst);
            if (rounded != null) {
                return rounded;
            }
        }
        return build(limit, Math.min(permits, ALWAYS_ACCEPTED), Math.min(burst, ALWAYS_ACCEPTED));
    }

    private static @Nullable Limit buildIfAccepted(Limit limit, long permits, long burst) {
        try {
            return build(limit, permits, burst);
        } catch (InvalidLimitException uncountable) {
            return null;
        }
    }

    /** How many limits are known by their numbers. */
    int known() {
        return shares.size();
    }

    /** Of how many it is known that they were made here. */
    int made() {
        return made.size();
    }

    private static Limit build(Limit limit, long permits, long burst) {
        LimitBuilder scaled = limit.with().permits(permits);
        return limit.algorithm().isBucket() ? scaled.burst(burst).build() : scaled.build();
    }
}
