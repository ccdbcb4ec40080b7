/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Knows every limit by name, with the numbers that hold at this moment. */
public interface Limits {

    /**
     * The limit with the numbers that hold for this key: those of its plan, where it is on one.
     *
     * @param name the limit's name, as in {@code ratelimit.limits.<name>}
     * @param plan the plan the caller names, or {@code null} to have it found by the key
     * @param key who is counted
     * @throws UnknownLimitException if nobody defined a limit of this name
     */
    Limit numbersFor(String name, @Nullable String plan, String key);

    /** Whether {@link #numbersFor} may take long: where a {@link PlanResolver} of the application's would be asked. */
    default boolean mayBlock(String name, @Nullable String plan, String key) {
        return false;
    }

    /** What {@link #numbersFor} says, where it takes no time; {@code null}: it may. */
    default @Nullable Limit numbersAtHand(String name, @Nullable String plan, String key) {
        return mayBlock(name, plan, key) ? null : numbersFor(name, plan, key);
    }

    /**
     * The limit in every shape its counters may have: with its own numbers, and with those of a plan for each further
     * {@link Limit#shape()}. A key may have a counter in each of them.
     *
     * @throws UnknownLimitException if nobody defined a limit of this name
     */
    Collection<Limit> shapesOf(String name);

    /** Whether somebody defined a limit of this name. */
    boolean isDefined(String name);

    /** The names of all limits there are. */
    Collection<String> names();
}
