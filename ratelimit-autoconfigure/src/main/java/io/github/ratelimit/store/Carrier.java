/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The thread that carries calls to a store, and answers back.
 *
 * @param isCurrent whether the current thread is this one
 * @param run gives it a task to run when it has done what it is at; from itself, while it reads answers, also when it has sent
 *     all that it has written meanwhile. {@code false}: it takes none. Something else may keep it for as long as it likes
 */
public record Carrier(BooleanSupplier isCurrent, Predicate<Runnable> run) {

    /** Of a store that has no such thread, or several. */
    public static final Carrier NONE = new Carrier(() -> false, task -> false);
}
