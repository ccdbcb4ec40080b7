/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Types of values that come later: futures, and what Spring adapts to a publisher. Expressions do not wait, and the text of
 * such an object is that of its type, one for all callers, or another one for each instance.
 */
final class LaterValues {

    private static final ClassValue<Boolean> LATER = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Future.class.isAssignableFrom(type)
                    || CompletionStage.class.isAssignableFrom(type)
                    || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
        }
    };

    private LaterValues() {}

    /** Whether an object of this type only promises a value. */
    static boolean include(Class<?> type) {
        return LATER.get(type);
    }
}
