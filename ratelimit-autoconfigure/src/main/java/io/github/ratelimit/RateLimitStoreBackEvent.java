/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;

/**
 * An outage of the shared store is over: an application event.
 *
 * @param away how long it was, from the first sign of trouble
 */
public record RateLimitStoreBackEvent(Duration away) {}
