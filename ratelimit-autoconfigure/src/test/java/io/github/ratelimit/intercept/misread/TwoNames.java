/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept.misread;

import io.github.ratelimit.annotation.RateLimited;

/** A limit with two names. In a package of its own: a scan for components that meets it fails. */
public class TwoNames {

    @RateLimited(value = "one", name = "two")
    public void call() {}
}
