/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testkit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.Refill;
import java.util.function.UnaryOperator;

/** Every way of counting there is: the algorithms with the options that make them another machine. */
public enum Kind {
    TOKEN_BUCKET(Algorithm.TOKEN_BUCKET, limit -> limit.refill(Refill.GREEDY)),
    TOKEN_BUCKET_INTERVAL(Algorithm.TOKEN_BUCKET, limit -> limit.refill(Refill.INTERVAL)),
    LEAKY_BUCKET(Algorithm.LEAKY_BUCKET, limit -> limit.pace(true)),
    LEAKY_BUCKET_METER(Algorithm.LEAKY_BUCKET, limit -> limit.pace(false)),
    FIXED_WINDOW(Algorithm.FIXED_WINDOW, limit -> limit.anchor(Anchor.CLOCK)),
    FIXED_WINDOW_FIRST_CALL(Algorithm.FIXED_WINDOW, limit -> limit.anchor(Anchor.FIRST_CALL)),
    SLIDING_WINDOW_LOG(Algorithm.SLIDING_WINDOW_LOG, limit -> limit.largeLog(true)),
    SLIDING_WINDOW_COUNTER(Algorithm.SLIDING_WINDOW_COUNTER, limit -> limit.strict(true)),
    SLIDING_WINDOW_COUNTER_WEIGHTED(Algorithm.SLIDING_WINDOW_COUNTER, limit -> limit.strict(false));

    private final Algorithm algorithm;

    @SuppressWarnings("ImmutableEnumChecker") // pure functions
    private final UnaryOperator<LimitBuilder> options;

    Kind(Algorithm algorithm, UnaryOperator<LimitBuilder> options) {
        this.algorithm = algorithm;
        this.options = options;
    }

    /** A limit of this kind in the making. */
    public LimitBuilder named(String name) {
        return options.apply(Limit.named(name).algorithm(algorithm));
    }

    /** Whether callers can wait for it in line. */
    public boolean isBucket() {
        return algorithm.isBucket();
    }

    /** Whether its state starts at, and lasts for, something other than a window. */
    public boolean isWindow() {
        return !isBucket();
    }

    /** A charge that gets every permit there is: paced, all but the first come with a wait. */
    public Charge charge(Limit limit, String key, long cost) {
        return Charge.of(limit, key, cost).waiting(this == LEAKY_BUCKET ? Charge.LONGEST_WAIT_MICROS : 0);
    }
}
