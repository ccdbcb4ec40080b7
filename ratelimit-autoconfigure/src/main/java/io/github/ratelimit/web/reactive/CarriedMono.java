/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/** A {@code Mono} that is subscribed to, and tells its signals, as part of a request. */
final class CarriedMono<T> extends MonoOperator<T, T> {

    private final @Nullable ServedRequest request;

    CarriedMono(Mono<? extends T> source, @Nullable ServedRequest request) {
        super(source);
        this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        PresentRequest.during(request, () -> source.subscribe(new CarryingSubscriber<>(actual, request)));
    }
}
