/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.limiter.PresentRequest;
import io.micrometer.context.ContextRegistry;
import org.springframework.util.ClassUtils;

/** Has Micrometer's context propagation, where it is there, take the present request along wherever an application uses it. */
public final class CarriedRequests {

    private static final boolean POSSIBLE =
            ClassUtils.isPresent("io.micrometer.context.ContextRegistry", CarriedRequests.class.getClassLoader());

    private CarriedRequests() {}

    /** From now on; another time changes nothing. */
    public static void begin() {
        if (POSSIBLE) {
            Registered.begin();
        }
    }

    /** Apart, so that it is loaded only where the library is. By functions: its interface names annotations that nobody has. */
    private static final class Registered {

        private static void begin() {
            ContextRegistry.getInstance()
                    .registerThreadLocalAccessor(
                            PresentRequest.KEY,
                            PresentRequest::get,
                            PresentRequest::set,
                            () -> PresentRequest.set(null));
        }
    }
}
