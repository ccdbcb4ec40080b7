/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

/** Hears how long decisions take. Called for every call, on any thread. */
@FunctionalInterface
public interface StoreTimes {

    /**
     * A decision was made.
     *
     * @param store the store's name, as a metric's tag
     * @param nanos how long it took
     */
    void took(String store, long nanos);
}
