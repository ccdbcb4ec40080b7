/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

/** What the measured methods are called with. */
public record Order(Customer customer) {

    /** Who orders. */
    public record Customer(String id) {}
}
