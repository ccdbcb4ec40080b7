/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** Hears every signal as part of a request, on whichever thread it comes. */
record CarryingSubscriber<T>(
        CoreSubscriber<? super T> actual, @Nullable ServedRequest request) implements CoreSubscriber<T> {

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        PresentRequest.during(request, () -> actual.onSubscribe(subscription));
    }

    @Override
    public void onNext(T value) {
        PresentRequest.during(request, () -> actual.onNext(value));
    }

    @Override
    public void onError(Throwable failure) {
        PresentRequest.during(request, () -> actual.onError(failure));
    }

    @Override
    public void onComplete() {
        PresentRequest.during(request, actual::onComplete);
    }
}
