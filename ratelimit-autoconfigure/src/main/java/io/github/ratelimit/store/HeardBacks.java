/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** A store of which somebody hears when it was given something back: whoever remembers what was denied until then. */
final class HeardBacks extends StoreInFront {

    private volatile BiConsumer<Limit, String> listener = (limit, key) -> {};

    HeardBacks(RateLimitStore store) {
        super(store);
    }

    void onGivenBack(BiConsumer<Limit, String> listener) {
        this.listener = listener;
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        return store.cancel(reservation)
                .whenComplete((given, failure) -> reservation.holds().forEach(hold -> tell(hold.charge())));
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        return store.refund(charges).whenComplete((state, failure) -> charges.forEach(this::tell));
    }

    private void tell(Charge charge) {
        listener.accept(charge.limit(), charge.key());
    }
}
