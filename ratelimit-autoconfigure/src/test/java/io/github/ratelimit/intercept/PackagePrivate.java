/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.annotation.RateLimited;

/** A class with a limited method that classes of other packages inherit and cannot override. */
public class PackagePrivate {

    @RateLimited
    void call() {}
}
