/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/**
 * An outage of the shared store begins: an application event. From now on each limit's failure policy decides.
 *
 * @param cause why, as the tag of the metric {@code ratelimit.store.failures} tells it
 */
public record RateLimitStoreAwayEvent(String cause) {}
