/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.parity.Step.Op;
import io.github.ratelimit.testkit.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A random history of calls on a few limits and keys. It listens to the answers, and returns to the instants they name:
 * that is where a wrong rounding shows. Numbers change, and change back: two instances that know different ones.
 */
public final class History {

    private static final long YEAR = Duration.ofDays(365).toNanos() / 1_000;
    private static final long HOUR = 3_600_000_000L;
    private static final List<Long> BEGINNINGS = List.of(0L, 1_000_003L, 50 * YEAR, 56 * YEAR + 123_456, 230 * YEAR);
    private static final long END_OF_TIME = 250 * YEAR;

    private final long seed;
    private final boolean stepsBack;
    private final Dice dice;
    private final Numbers numbers;
    private final List<Limit> limits = new ArrayList<>();
    private final Map<Integer, Limit> former = new TreeMap<>();
    private final List<Long> named = new ArrayList<>();
    private final List<Integer> reserved = new ArrayList<>();
    private int made;
    private long now;

    private History(long seed, boolean stepsBack, List<Kind> kinds) {
        this.seed = seed;
        this.stepsBack = stepsBack;
        this.dice = new Dice(seed);
        this.numbers = new Numbers(dice);
        this.now = dice.oneOf(BEGINNINGS) + dice.upTo(YEAR);
        int count = 1 + dice.below(3);
        for (int i = 0; i < count; i++) {
            limits.add(numbers.limit(dice.oneOf(kinds), "limit" + i));
        }
    }

    /** A history of limits of all kinds, on a clock that also steps back. */
    public static History of(long seed) {
        return new History(seed, true, List.of(Kind.values()));
    }

    /** A history of limits of these kinds, on a clock that also steps back. */
    public static History of(long seed, List<Kind> kinds) {
        return new History(seed, true, kinds);
    }

    /** A history of limits of these kinds, on a clock that never steps back. */
    public static History forwards(long seed, List<Kind> kinds) {
        return new History(seed, false, kinds);
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }

    /** The next call. */
    Step next() {
        now = Math.max(stepsBack ? 0 : now, Math.min(END_OF_TIME, time()));
        if (dice.percent(3)) {
            int which = dice.below(limits.size());
            former.put(which, limits.set(which, numbers.changed(limits.get(which))));
        } else if (dice.percent(15) && !former.isEmpty()) {
            int which = dice.oneOf(List.copyOf(former.keySet()));
            former.put(which, limits.set(which, former.get(which)));
        }
        Op op = op();
        Step step = switch (op) {
            case ACQUIRE, RESERVE, PEEK, REFUND -> new Step(now, op, charges(), 0);
            case IN_TURN -> new Step(now, op, calls(), 0);
            case UP_TO, RESET -> new Step(now, op, List.of(charge()), 0);
            case CANCEL, GIVE_UP -> new Step(now, op, List.of(), dice.oneOf(reserved));
            case LOCK -> new Step(now, op, List.of(charge()), dice.upTo(dice.percent(20) ? YEAR / 12 : HOUR));
        };
        if (op == Op.RESERVE) {
            reserved.add(made);
        }
        made++;
        return step;
    }

    /** Hears what was answered. */
    void hear(Object answer) {
        if (answer instanceof Decision decision) {
            decision.parts().forEach(this::remember);
        } else if (answer instanceof List<?> several) {
            several.forEach(this::hear);
        } else if (answer instanceof PartialGrant grant) {
            hear(grant.decision());
        } else if (answer instanceof Reservation reservation) {
            hear(reservation.decision());
            reservation.holds().forEach(this::remember);
        }
        while (named.size() > 12) {
            named.remove(0);
        }
    }

    private void remember(Hold hold) {
        named.add(hold.dueMicros());
        if (hold.lent() != null) {
            named.add(hold.lent().fullMicros());
        }
    }

    private void remember(Decision part) {
        if (part instanceof Denied denied && denied.retryAfterMicros() != Denied.NEVER) {
            named.add(now + denied.retryAfterMicros());
            rememberUnused(denied.definition(), denied.resetAfterMicros());
        } else if (part instanceof Allowed allowed) {
            rememberUnused(allowed.definition(), allowed.resetAfterMicros());
        }
    }

    /** Besides the instant at which a counter is unused, the earliest at which it would be believed: far back. */
    private void rememberUnused(Limit limit, long resetAfter) {
        named.add(now + resetAfter);
        if (stepsBack && resetAfter > 0 && dice.percent(5)) {
            long longest = limit.algorithm().isBucket()
                    ? ceil(limit.ticksWhenSpent(), limit.ticksPerMicro())
                    : limit.periodMicros();
            long lock = Math.max(limit.penalty().toMillis(), Duration.ofDays(31).toMillis()) * 1_000;
            named.add(now + resetAfter - HOUR - dice.oneOf(List.of(longest, lock)));
        }
    }

    private static long ceil(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }

    private long time() {
        int roll = dice.below(100);
        if (roll < 35) {
            return now;
        } else if (roll < 60 && !named.isEmpty()) {
            return dice.oneOf(named) - 1 + dice.below(3);
        } else if (roll < 80) {
            return now + dice.upTo(2 * dice.oneOf(limits).periodMicros());
        } else if (roll < 90) {
            return now + dice.upTo(10);
        } else if (roll < 92) {
            return now + dice.upTo(2 * YEAR);
        } else if (roll < 97) {
            return now - dice.upTo(dice.oneOf(limits).periodMicros());
        } else if (roll < 99) {
            return now - dice.upTo(3 * HOUR);
        }
        return now - dice.upTo(YEAR);
    }

    private Op op() {
        int roll = dice.below(100);
        if (roll < 8) {
            return Op.IN_TURN;
        } else if (roll < 48) {
            return Op.ACQUIRE;
        } else if (roll < 63) {
            return Op.RESERVE;
        } else if (roll < 73) {
            return Op.PEEK;
        } else if (roll < 82) {
            return Op.UP_TO;
        } else if (roll < 89) {
            return reserved.isEmpty() ? Op.RESERVE : now % 2 == 0 ? Op.CANCEL : Op.GIVE_UP;
        } else if (roll < 96) {
            return Op.REFUND;
        }
        return roll < 98 ? Op.RESET : Op.LOCK;
    }

    private List<Charge> charges() {
        List<Charge> charges = new ArrayList<>(List.of(charge()));
        while (charges.size() < 4 && dice.percent(30)) {
            charges.add(charge());
        }
        return charges;
    }

    /** Calls that do not wait, cheap ones among them, on one counter; in every third history on several. */
    private List<Charge> calls() {
        Charge first = charge().waiting(0);
        List<Charge> calls = new ArrayList<>(List.of(first));
        boolean several = seed % 3 == 2;
        boolean alike = seed % 2 == 1;
        while (calls.size() < 6 && dice.percent(75)) {
            first = several ? charge().waiting(0) : first;
            long capacity = first.limit().burst();
            long cost = dice.percent(50) ? cost(capacity) : dice.upTo(1 + capacity / 4);
            calls.add(Charge.of(first.limit(), first.key(), alike ? first.cost() : cost));
        }
        return calls;
    }

    private Charge charge() {
        Limit limit = dice.oneOf(limits);
        return new Charge(limit, dice.percent(80) ? "a" : "b", cost(limit.burst()), wait(limit));
    }

    private long cost(long capacity) {
        int roll = dice.below(100);
        if (roll < 45) {
            return 1;
        } else if (roll < 50) {
            return 0;
        } else if (roll < 90) {
            return dice.upTo(capacity);
        } else if (roll < 96) {
            return capacity;
        }
        return roll < 99 ? capacity + 1 : dice.upTo(Long.MAX_VALUE - 1);
    }

    private long wait(Limit limit) {
        if (dice.percent(50)) {
            return 0;
        }
        return dice.percent(20) ? Charge.LONGEST_WAIT_MICROS : dice.upTo(2 * limit.periodMicros());
    }
}
