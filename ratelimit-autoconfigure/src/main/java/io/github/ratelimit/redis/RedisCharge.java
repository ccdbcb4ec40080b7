/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;

/** A charge with the name of its counter in Redis. */
record RedisCharge(Charge charge, PackedLimit packed, byte[] key) {

    private static final byte[] ONE_AT_ONCE = PackedLimit.pack(1, 0);
    private static final double LARGEST_EXACT = (1L << 53) - 1d;

    /** The script argument with this call's numbers: cost and wait. */
    byte[] costAndWait() {
        boolean waits = packed.counter().isBucket() && !charge.limit().shadow();
        long wait = waits ? charge.maxWaitMicros() : 0;
        return charge.cost() == 1 && wait == 0 ? ONE_AT_ONCE : PackedLimit.pack(exactCost(), wait);
    }

    /** The cost as a number that Lua holds exactly; beyond that it exceeds every capacity anyway. */
    double exactCost() {
        return Math.min(charge.cost(), LARGEST_EXACT);
    }
}
