/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;

/**
 * Remembers every grant: one made at {@code s} counts at {@code t} iff {@code s > t - period}.
 *
 * <p>Time does not run backwards in here: {@code t} is never earlier than the newest grant. An entry stands for at least
 * one permit and the dead are dropped with every grant, so there are never more entries than permits.
 */
final class SlidingLog extends Window {

    private final Grants grants = new Grants();

    private long at;
    private int firstAlive;
    private long used;
    private long taken;

    SlidingLog(Limit limit) {
        super(limit);
    }

    @Override
    boolean look(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        long newest = grants.size() == 0 ? now : grants.instant(grants.size() - 1);
        boolean believable = newest - now <= limit.periodMicros() + DOUBT_MICROS;
        at = believable ? Math.max(now, newest) : now;
        firstAlive = believable ? grants.firstAfter(at - limit.periodMicros()) : grants.size();
        used = grants.totalBefore(grants.size()) - grants.totalBefore(firstAlive);
        taken = 0;
        return believable;
    }

    @Override
    long spare() {
        return limit.permits() - used - taken;
    }

    @Override
    long untilSpare(long cost) {
        long mustGo = cost - spare();
        int last = grants.firstReaching(grants.totalBefore(firstAlive) + mustGo);
        return grants.instant(last) + limit.periodMicros() - now;
    }

    @Override
    long resetAfter() {
        if (taken > 0) {
            return at + limit.periodMicros() - now;
        }
        return used == 0 ? 0 : grants.instant(grants.size() - 1) + limit.periodMicros() - now;
    }

    @Override
    void take(long cost) {
        taken += cost;
    }

    @Override
    void keep() {
        grants.dropFirst(firstAlive);
        if (taken > 0) {
            grants.add(at, taken);
        }
    }

    @Override
    long give(long permits) {
        long given = Math.min(permits, used);
        if (given > 0) {
            keep();
            grants.cutTo(grants.totalBefore(grants.size()) - given);
            look(limit, now);
        }
        return given;
    }

    /** From the grants of the charge's own instant, as long as they count; what was granted later stays. */
    @Override
    long takeBack(Hold hold) {
        int charged = grants.firstAfter(hold.dueMicros() - 1);
        if (charged < firstAlive || charged == grants.size() || grants.instant(charged) != hold.dueMicros()) {
            return 0;
        }
        long granted = grants.totalBefore(charged + 1) - grants.totalBefore(charged);
        long given = Math.min(hold.charge().cost(), granted);
        keep();
        grants.cut(charged - firstAlive, given);
        look(limit, now);
        return given;
    }

    /** One entry for all that is alive, at the instant of the newest. */
    @Override
    Counter copy() {
        SlidingLog copy = new SlidingLog(limit);
        if (used > 0) {
            copy.grants.add(grants.instant(grants.size() - 1), used);
        }
        return copy;
    }
}
