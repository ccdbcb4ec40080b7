/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits as this instance enforces them alone: with its share of the permits, rounded down, but at least one. A share
 * whose exact fraction a bucket cannot count is rounded down to fewer digits.
 *
 * <p>They are objects of their own even where the share is everything, and known again: so a hold tells who holds it.
 */
final class LocalShare {

    /** Up to here every number is accepted. */
    private static final long ALWAYS_ACCEPTED = 1_000_000;

    private final double share;

    /** Grows with the limits there are and the numbers they are given, never with keys. */
    private final ConcurrentHashMap<Limit, Limit> shares = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<Limit, Limit> made = new ConcurrentHashMap<>();

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
        return known != null ? known : shares.computeIfAbsent(limit, this::make);
    }

    /** Whether this is one of ours, and not a limit like it. */
    @SuppressWarnings("ReferenceEquality") // that is the question
    boolean isMade(Limit limit) {
        return made.get(limit) == limit;
    }

    /** Whether these are charges of a local hold: those of one reservation all are, or none is. */
    boolean isMade(List<Charge> charges) {
        return isMade(charges.get(0).limit());
    }

    private Limit make(Limit limit) {
        Limit fresh = scaled(limit);
        Limit earlier = made.putIfAbsent(fresh, fresh);
        return earlier == null ? fresh : earlier;
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

    private static Limit build(Limit limit, long permits, long burst) {
        LimitBuilder scaled = limit.with().permits(permits);
        return limit.algorithm().isBucket() ? scaled.burst(burst).build() : scaled.build();
    }
}
