/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Refill;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a limit follows the load of its instance: above the high mark the instance asks for half of the numbers, below the
 * low mark it climbs back. {@code null}: not stated.
 *
 * @param minPermits the fewest permits the instance asks for; must be stated
 * @param highCpu load of the CPU, from 0 to 1, above which the numbers are halved; 0.8 unless stated
 * @param lowCpu load of the CPU below which they climb back; 0.5 unless stated
 */
public record Adaptive(
        @Nullable Long minPermits,
        @Nullable Double highCpu,
        @Nullable Double lowCpu) {

    private static final double HIGH = 0.8;
    private static final double LOW = 0.5;

    /** The load above which the numbers are halved. */
    public double high() {
        return highCpu == null ? HIGH : highCpu;
    }

    /** The load below which they climb back. */
    public double low() {
        return lowCpu == null ? LOW : lowCpu;
    }

    /** The fewest permits the instance asks for. */
    public long fewest() {
        return minPermits == null ? 1 : minPermits;
    }

    /** In words: {@code adaptive down to 50 permits when the CPU is above 0.8}. */
    String describe() {
        return String.format(Locale.ROOT, "adaptive down to %d permits when the CPU is above %s", fewest(), high());
    }

    /**
     * Makes sure that a limit can follow the load like this.
     *
     * @throws InvalidLimitException naming the first mistake
     */
    void check(Limit stated) {
        that(minPermits != null, stated, "min-permits", "(none)", "is stated nowhere", "State the fewest permits.");
        that(fewest() >= 1, stated, "min-permits", fewest(), "allows nothing", "Use 1 or more.");
        that(high() > 0 && high() <= 1, stated, "high-cpu", high(), "is no load", "Use a number above 0, at most 1.");
        that(low() >= 0, stated, "low-cpu", low(), "is no load", "Use a number from 0 to below high-cpu.");
        that(low() < high(), stated, "low-cpu", low(), "is not below high-cpu, " + high(), "Leave room between both.");
        that(
                stated.algorithm() != Algorithm.TOKEN_BUCKET || stated.refill() != Refill.INTERVAL,
                stated,
                "min-permits",
                fewest(),
                "does not go with refill: interval, where other numbers find the bucket empty until the next tick",
                "Use refill: greedy, or another algorithm.");
        checkShrinks(stated, "");
        that(
                new Shrinking(stated).lowestShare(fewest()) < Shrinking.WHOLE,
                stated,
                "min-permits",
                fewest(),
                "leaves nothing to adapt: there are %d permits".formatted(stated.permits()),
                "Use a smaller number, best half of the permits or less.");
    }

    /**
     * Makes sure that a plan of the limit can follow the load with it.
     *
     * @throws InvalidLimitException if it cannot
     */
    void checkPlan(Limit stated) {
        checkShrinks(stated, " of plan " + stated.plan());
    }

    private void checkShrinks(Limit stated, String whose) {
        that(
                new Shrinking(stated).canShrink(),
                stated,
                "min-permits",
                fewest(),
                "cannot be reached: permits %d and burst %d%s do not shrink in one proportion"
                        .formatted(stated.permits(), stated.burst(), whose),
                "Choose numbers up to 1000000 with a common divisor, as 600 and 50.");
    }

    private static void that(
            boolean holds, Limit limit, String attribute, Object value, String problem, String remedy) {
        if (!holds) {
            String name = "adaptive." + attribute;
            throw new InvalidLimitException(limit.name(), name, value, problem, remedy)
                    .statedIn(RelaxedNames.property(limit.name()) + "." + name);
        }
    }
}
