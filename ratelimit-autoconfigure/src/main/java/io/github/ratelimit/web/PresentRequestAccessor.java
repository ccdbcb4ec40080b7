/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/** Has Micrometer's context propagation take the present request along, wherever an application uses it. */
public final class PresentRequestAccessor implements ThreadLocalAccessor<ServedRequest> {

    @Override
    public Object key() {
        return PresentRequest.KEY;
    }

    @Override
    public @Nullable ServedRequest getValue() {
        return PresentRequest.get();
    }

    @Override
    public void setValue(ServedRequest request) {
        PresentRequest.set(request);
    }

    @Override
    public void setValue() {
        PresentRequest.set(null);
    }
}
