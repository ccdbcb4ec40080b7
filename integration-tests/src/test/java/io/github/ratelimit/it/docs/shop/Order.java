/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs.shop;

/** What somebody orders. */
public record Order(Customer customer, boolean internal) {

    /** Who orders. */
    public record Customer(String id) {}
}
