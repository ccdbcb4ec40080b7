/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.UnknownPlanException;
import org.jspecify.annotations.Nullable;

/** Keeps the numbers that are set while the application runs, and puts them in force. */
public interface OverrideKeeper extends AutoCloseable {

    /**
     * Sets the numbers of a limit, or of one of its plans, instead of what was set before.
     *
     * @throws UnknownLimitException if there is no such limit
     * @throws UnknownPlanException if there is no such plan
     * @throws InvalidLimitException if the limit cannot work with them; then nothing has changed
     * @throws RateLimitStoreException if they cannot be kept; then nothing has changed
     */
    void put(Overrides.Target target, Numbers numbers);

    /**
     * Removes what was set for a limit and all its plans, or for one plan of it; also where the limit itself is gone.
     *
     * @throws UnknownLimitException if there is no such limit, and nothing was set for it
     * @throws UnknownPlanException if there is no such plan, and nothing was set for it
     * @throws InvalidLimitException if what is left cannot work without it; then nothing has changed
     * @throws RateLimitStoreException if that cannot be kept; then nothing has changed
     */
    void remove(String limit, @Nullable String plan);

    /** Whether every instance of the application has the same; else they are this instance's own. */
    boolean isShared();

    @Override
    default void close() {}
}
