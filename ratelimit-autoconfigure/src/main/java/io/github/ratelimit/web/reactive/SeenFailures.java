/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Shows a request what its controller fails with before WebFlux looks for somebody to handle it. A refusal need not have
 * been heard before: the controller may have waited for other threads, which know of no request.
 *
 * <p>Reactor asks the subscriber's context for a function that sees what operators fail with, under a name that it does
 * not publish. If a version of it should not, such a refusal goes to the application's handler for every exception.
 */
final class SeenFailures {

    private static final String KEY = "reactor.onOperatorError.local";

    private SeenFailures() {}

    /** The context in which a request sees failures; who saw them before still does. */
    static UnaryOperator<Context> by(ReactiveExchange request) {
        return before -> {
            BiFunction<Throwable, @Nullable Object, Throwable> seen = (failure, value) -> {
                request.see(Exceptions.unwrap(failure));
                return Operators.onOperatorError(null, failure, value, before);
            };
            return before.put(KEY, seen);
        };
    }
}
