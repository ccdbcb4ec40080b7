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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * A store of which somebody hears when it was given something back, or told to reset or lock a key, however late that happens:
 * whoever remembers what was denied until then.
 */
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

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return store.reset(limit, key).whenComplete((done, failure) -> listener.accept(limit, key));
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return store.lock(limit, key, duration).whenComplete((done, failure) -> listener.accept(limit, key));
    }

    private void tell(Charge charge) {
        listener.accept(charge.limit(), charge.key());
    }
}
