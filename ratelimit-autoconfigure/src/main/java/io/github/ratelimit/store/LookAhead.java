/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimitStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to a store, beside the calls, whether denials that are being repeated still hold; {@link DenialCache} says why. */
final class LookAhead {

    private static final Logger log = LoggerFactory.getLogger(LookAhead.class);

    /** Each is a trip of its own, some ten microseconds of Redis: so many at once hold nobody up for long. */
    static final int MOST_LOOKS = 4_096;

    private final RateLimitStore store;
    private final LongSupplier nanoClock;
    private final AtomicInteger looks = new AtomicInteger();

    LookAhead(RateLimitStore store, LongSupplier nanoClock) {
        this.store = store;
        this.nanoClock = nanoClock;
    }

    /**
     * Asks whether a denial still holds. A store that cannot say so has its deadline, and counts that itself.
     * Where too many are asking, or the denial has come to end later, it is left to end its second, and then somebody calls.
     */
    void look(Known known, Denials among) {
        if (looks.incrementAndGet() > MOST_LOOKS) {
            looks.decrementAndGet();
            return;
        }
        Charge charge = known.charge();
        long mark = among.mark(charge);
        long sent = nanoClock.getAsLong();
        try {
            var unused = store.peek(List.of(charge)).whenComplete((seen, failure) -> {
                looks.decrementAndGet();
                if (failure == null) {
                    see(known, among, mark, sent, seen);
                }
            });
        } catch (RuntimeException | Error refused) {
            looks.decrementAndGet();
            log.debug("Whether a denial still holds could not be asked", refused);
        }
    }

    private void see(Known known, Denials among, long mark, long sent, Decision seen) {
        Charge charge = known.charge();
        if (DenialCache.isOfStore(seen, charge) && seen.passes()) {
            among.forget(charge.limit(), charge.key());
        } else if (DenialCache.isSpent(seen, charge) && known.isOnlyOlderIn((Denied) seen, sent)) {
            among.remember(charge, mark, sent, nanoClock.getAsLong(), (Denied) seen);
        }
    }
}
