/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;

/** A charge with the name of its counter in Redis. */
final class RedisCharge {

    private static final byte[] ONE_AT_ONCE = PackedLimit.pack(1, 0);
    private static final long LARGEST_EXACT = (1L << 53) - 1;

    private final Charge charge;
    private final PackedLimit packed;
    private final byte[] key;

    RedisCharge(Charge charge, PackedLimit packed, byte[] key) {
        this.charge = charge;
        this.packed = packed;
        this.key = key;
    }

    /** Another charge of the same counter. */
    RedisCharge with(Charge other) {
        return new RedisCharge(other, packed, key);
    }

    /** The same with another cost, and without a wait. */
    RedisCharge costing(long cost) {
        return with(Charge.of(charge.limit(), charge.key(), cost));
    }

    Charge charge() {
        return charge;
    }

    PackedLimit packed() {
        return packed;
    }

    byte[] key() {
        return key;
    }

    /** The script argument with this call's numbers: cost and wait. */
    byte[] costAndWait() {
        boolean waits = packed.counter().isBucket() && !charge.limit().shadow();
        long wait = waits ? charge.maxWaitMicros() : 0;
        return charge.cost() == 1 && wait == 0 ? ONE_AT_ONCE : PackedLimit.pack(exactCost(), wait);
    }

    /** The script argument for taking this charge back. */
    byte[] due(Hold hold) {
        Lent lent = hold.lent();
        return lent == null
                ? due(hold.dueMicros(), hold.dueFraction(), 0, 0)
                : due(lent.fullMicros(), lent.fullFraction(), lent.ended() ? 2 : 1, hold.dueMicros());
    }

    private byte[] due(long micros, long fraction, int lent, long at) {
        return PackedLimit.pack(exactCost(), micros / 1_000_000, micros % 1_000_000, fraction, lent, at);
    }

    /** The cost as a number that Lua holds exactly; beyond that it exceeds every capacity anyway. */
    long exactCost() {
        return exactCost(charge);
    }

    static long exactCost(Charge charge) {
        return Math.min(charge.cost(), LARGEST_EXACT);
    }
}
