/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What each algorithm promises, worked out the slow way: from a list of all grants, for callers that do not wait and a
 * clock that does not step back.
 */
abstract class Definition {

    final Limit limit;
    final List<Grant> grants = new ArrayList<>();

    private Definition(Limit limit) {
        this.limit = limit;
    }

    record Grant(long at, long cost) {}

    static Definition of(Kind kind, Limit limit) {
        return switch (kind) {
            case TOKEN_BUCKET, LEAKY_BUCKET, LEAKY_BUCKET_METER -> new Steady(limit);
            case TOKEN_BUCKET_INTERVAL -> new AtTicks(limit);
            case FIXED_WINDOW -> new OfTheClock(limit);
            case FIXED_WINDOW_FIRST_CALL -> new OfTheFirstCall(limit);
            case SLIDING_WINDOW_LOG -> new AnyPeriod(limit);
            case SLIDING_WINDOW_COUNTER -> new Slots(limit);
            case SLIDING_WINDOW_COUNTER_WEIGHTED -> new Overlap(limit);
        };
    }

    abstract long remaining(long now);

    abstract boolean isUnused(long now);

    void grant(long now, long cost) {
        grants.add(new Grant(now, cost));
    }

    void giveBack(long now, long permits) {
        long left = permits;
        for (int i = grants.size() - 1; i >= 0 && left > 0 && counts(grants.get(i), now); i--) {
            Grant grant = grants.remove(i);
            if (grant.cost() > left) {
                grants.add(new Grant(grant.at(), grant.cost() - left));
            }
            left -= grant.cost();
        }
    }

    /** Whether a grant still counts in any way. */
    abstract boolean counts(Grant grant, long now);

    final long sum(long now) {
        return grants.stream()
                .filter(grant -> counts(grant, now))
                .mapToLong(Grant::cost)
                .sum();
    }

    /** In any stretch of time that begins with a grant: its grants, less what came back since. The debt is the largest. */
    private static final class Steady extends Definition {

        private Steady(Limit limit) {
            super(limit);
        }

        private long debt(long now) {
            long debt = 0;
            long granted = 0;
            for (int i = grants.size() - 1; i >= 0; i--) {
                granted += grants.get(i).cost() * limit.ticksPerPermit();
                debt = Math.max(debt, granted - (now - grants.get(i).at()) * limit.ticksPerMicro());
            }
            return debt;
        }

        @Override
        long remaining(long now) {
            return (limit.burst() * limit.ticksPerPermit() - debt(now)) / limit.ticksPerPermit();
        }

        @Override
        boolean isUnused(long now) {
            return debt(now) == 0;
        }

        @Override
        boolean counts(Grant grant, long now) {
            return true;
        }
    }

    /** Tick by tick. */
    private static final class AtTicks extends Definition {

        private long permits;
        private long tick = Long.MIN_VALUE;

        private AtTicks(Limit limit) {
            super(limit);
            permits = limit.burst();
        }

        private void tickTo(long now) {
            long last = Math.floorDiv(now, limit.periodMicros());
            for (; tick != Long.MIN_VALUE && tick < last; tick++) {
                permits = Math.min(limit.burst(), permits + limit.permits());
            }
            tick = last;
        }

        @Override
        long remaining(long now) {
            tickTo(now);
            return permits;
        }

        @Override
        boolean isUnused(long now) {
            long ticks = tick == Long.MIN_VALUE ? 0 : Math.floorDiv(now, limit.periodMicros()) - tick;
            return permits + ticks * limit.permits() >= limit.burst();
        }

        @Override
        void grant(long now, long cost) {
            tickTo(now);
            permits -= cost;
        }

        @Override
        void giveBack(long now, long given) {
            tickTo(now);
            permits = Math.min(limit.burst(), permits + given);
        }

        @Override
        boolean counts(Grant grant, long now) {
            return true;
        }
    }

    /** The windows that add up what counts. */
    private abstract static class Sum extends Definition {

        private Sum(Limit limit) {
            super(limit);
        }

        @Override
        long remaining(long now) {
            return limit.permits() - sum(now);
        }

        @Override
        boolean isUnused(long now) {
            return sum(now) == 0;
        }
    }

    private static final class OfTheClock extends Sum {

        private OfTheClock(Limit limit) {
            super(limit);
        }

        @Override
        boolean counts(Grant grant, long now) {
            return Math.floorDiv(grant.at(), limit.periodMicros()) == Math.floorDiv(now, limit.periodMicros());
        }
    }

    private static final class OfTheFirstCall extends Sum {

        private long opened = Long.MIN_VALUE / 2;

        private OfTheFirstCall(Limit limit) {
            super(limit);
        }

        @Override
        void grant(long now, long cost) {
            if (isUnused(now)) {
                opened = now;
            }
            super.grant(now, cost);
        }

        @Override
        boolean counts(Grant grant, long now) {
            return grant.at() >= opened && now < opened + limit.periodMicros();
        }
    }

    private static final class AnyPeriod extends Sum {

        private AnyPeriod(Limit limit) {
            super(limit);
        }

        @Override
        boolean counts(Grant grant, long now) {
            return grant.at() > now - limit.periodMicros();
        }
    }

    private static class Slots extends Sum {

        private Slots(Limit limit) {
            super(limit);
        }

        final long slot(long now) {
            return Math.floorDiv(now, limit.slotMicros());
        }

        @Override
        boolean counts(Grant grant, long now) {
            return slot(grant.at()) >= slot(now) - limit.slots();
        }
    }

    private static final class Overlap extends Slots {

        private Overlap(Limit limit) {
            super(limit);
        }

        @Override
        long remaining(long now) {
            long leaving = grants.stream()
                    .filter(grant -> slot(grant.at()) == slot(now) - limit.slots())
                    .mapToLong(Grant::cost)
                    .sum();
            long overlap = limit.slotMicros() - Math.floorMod(now, limit.slotMicros());
            long spare = (limit.permits() - sum(now) + leaving) * limit.slotMicros() - leaving * overlap;
            return Math.max(0, Math.floorDiv(spare, limit.slotMicros()));
        }
    }
}
