/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What was found for a method and the class of its bean, by identity: a proxy asks with the same two objects at every call.
 * Looking up compares references, takes no lock and makes nothing. Whoever asks with ever new objects is not remembered any
 * more once there are many.
 */
final class KnownCalls {

    static final int MOST = 4_096;

    private volatile @Nullable Known[] all = new Known[16];
    private int size;

    /**
     * What was found.
     *
     * @param limited the method's limits, or {@code null} where it has none
     */
    record Known(
            Method method, Class<?> beanClass, @Nullable LimitedMethod limited) {

        @SuppressWarnings("ReferenceEquality") // comparing methods as such takes longer than all the rest
        private boolean isOf(Method method, Class<?> beanClass) {
            return this.method == method && this.beanClass == beanClass;
        }
    }

    /** What was found; {@code null}: that is not remembered. */
    @Nullable
    Known get(Method method, Class<?> beanClass) {
        @Nullable Known[] present = all;
        return present[place(present, method, beanClass)];
    }

    synchronized void put(Known found) {
        if (size == MOST || get(found.method, found.beanClass) != null) {
            return;
        }
        size++;
        @Nullable Known[] larger = new Known[2 * size > all.length ? 2 * all.length : all.length];
        for (Known known : all) {
            if (known != null) {
                larger[place(larger, known.method, known.beanClass)] = known;
            }
        }
        larger[place(larger, found.method, found.beanClass)] = found;
        all = larger;
    }

    /** Where the two are, or belong: at most half of the places are taken. */
    private static int place(@Nullable Known[] all, Method method, Class<?> beanClass) {
        int mask = all.length - 1;
        int at = (31 * System.identityHashCode(method) + System.identityHashCode(beanClass)) & mask;
        Known known = all[at];
        while (known != null && !known.isOf(method, beanClass)) {
            at = (at + 1) & mask;
            known = all[at];
        }
        return at;
    }
}
