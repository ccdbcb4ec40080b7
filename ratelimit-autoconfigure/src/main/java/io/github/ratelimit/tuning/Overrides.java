/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers set while the application runs, as one immutable snapshot. */
public final class Overrides {

    /** No override. */
    public static final Overrides NONE = new Overrides(Map.of());

    private final Map<Target, Numbers> numbers;

    /** These overrides. */
    public Overrides(Map<Target, Numbers> numbers) {
        Map<Target, Numbers> byName = new HashMap<>();
        numbers.forEach((target, stated) -> byName.put(target.relaxed(), stated));
        this.numbers = Map.copyOf(byName);
    }

    Numbers of(String limit, @Nullable String plan) {
        return numbers.getOrDefault(new Target(limit, plan).relaxed(), Numbers.NONE);
    }

    /** Each override by its target, whose names are in the form in which names are compared. */
    public Map<Target, Numbers> byTarget() {
        return numbers;
    }

    /** These overrides and one more, instead of what there was for its target. */
    Overrides with(Target target, Numbers stated) {
        Map<Target, Numbers> more = new HashMap<>(numbers);
        more.put(target.relaxed(), stated);
        return new Overrides(more);
    }

    /** These overrides without those of a limit: all of them, or the one of a plan. */
    Overrides without(String limit, @Nullable String plan) {
        Map<Target, Numbers> fewer = new HashMap<>(numbers);
        fewer.keySet().removeIf(new Target(limit, plan)::covers);
        return new Overrides(fewer);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Overrides that && numbers.equals(that.numbers);
    }

    @Override
    public int hashCode() {
        return numbers.hashCode();
    }

    /**
     * What is overridden.
     *
     * @param limit the limit's name
     * @param plan the plan of that limit, or {@code null} for its base numbers
     */
    public record Target(String limit, @Nullable String plan) {

        Target relaxed() {
            return new Target(RelaxedNames.relaxed(limit), plan == null ? null : RelaxedNames.relaxed(plan));
        }

        /** Whether removing this removes the other: a limit's numbers go with those of its plans. */
        boolean covers(Target other) {
            Target mine = relaxed();
            Target theirs = other.relaxed();
            return mine.plan == null ? mine.limit.equals(theirs.limit) : mine.equals(theirs);
        }
    }
}
