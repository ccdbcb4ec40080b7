/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/** A {@code Flux} that is subscribed to, and tells its signals, as part of a request. */
final class CarriedFlux<T> extends FluxOperator<T, T> {

    private final @Nullable ServedRequest request;

    CarriedFlux(Flux<? extends T> source, @Nullable ServedRequest request) {
        super(source);
        this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        PresentRequest.during(request, () -> source.subscribe(new CarryingSubscriber<>(actual, request)));
    }
}
