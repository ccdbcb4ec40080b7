/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;

/** Calls suspending functions. Apart, so that it is loaded only where there is one. */
final class KotlinFunction {

    private KotlinFunction() {}

    /**
     * A publisher that runs the function for each subscription.
     *
     * @param arguments without a continuation
     * @param continuation of the coroutine that calls, whose context is taken along
     */
    static Object call(Method function, Object target, @Nullable Object[] arguments, Object continuation) {
        CoroutineContext caller = ((Continuation<?>) continuation).getContext().minusKey(Job.Key);
        return CoroutinesUtils.invokeSuspendingFunction(caller, function, target, arguments);
    }
}
