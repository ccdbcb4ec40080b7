/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.GivingBack;
import io.github.ratelimit.Reservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store said to a list of charges, with what is needed to take it back.
 *
 * @param decision what was decided
 * @param charges what was asked
 * @param reservation what is held while the call waits, or {@code null} where nothing was reserved
 */
record Answer(
        Decision decision, List<Charge> charges, @Nullable Reservation reservation) {

    /** The same to a call that ends with it, although it could have waited. */
    Answer ended() {
        return new Answer(decision, charges, reservation == null ? null : GivingBack.ended(reservation));
    }
}
