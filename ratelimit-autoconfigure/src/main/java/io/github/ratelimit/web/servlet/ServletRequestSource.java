/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.RequestSource;
import io.github.ratelimit.limiter.ServedRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** The request of the present thread; on threads that Spring or the application lent a request to, that one. */
public final class ServletRequestSource implements RequestSource {

    @Override
    public @Nullable ServedRequest current() {
        ServedRequest present = PresentRequest.get();
        if (present != null) {
            return present;
        }
        RequestAttributes lent = RequestContextHolder.getRequestAttributes();
        return lent == null ? null : exchange(lent);
    }

    private static @Nullable ServedRequest exchange(RequestAttributes lent) {
        try {
            Object exchange = lent.getAttribute(ServletExchange.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
            return exchange instanceof ServletExchange served ? served : null;
        } catch (IllegalStateException requestHasEnded) {
            return null;
        }
    }
}
