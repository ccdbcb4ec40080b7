/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.RateLimitListener;

/** A web request that is being served. It hears what is decided for it, so that its answer can say so. */
public interface ServedRequest extends RateLimitListener {

    /** A call of this request had no key. */
    void lacksKey();
}
