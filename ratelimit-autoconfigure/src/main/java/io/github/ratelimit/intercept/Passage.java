/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How calls of one return type pass: when the decision is made, who waits for it, how a denial is told. */
interface Passage {

    /** Decides the call and lets the method run, or not. */
    @Nullable
    Object enter(MethodInvocation call, LimitedMethod limited) throws Throwable;

    /** A call was denied that would have waited, had it come on a thread that may. */
    default void waitRefused(LimitedMethod limited) {}
}
