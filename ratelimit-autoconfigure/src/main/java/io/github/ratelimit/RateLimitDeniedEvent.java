/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import io.github.ratelimit.Decision.Denied;

/**
 * A call was denied: an application event, for {@code @EventListener} methods. Published on the thread that decided,
 * before the caller hears of it, and only if somebody listens. It does not tell the key; a limit that only watches
 * publishes nothing.
 *
 * @param denied the answer to the call
 */
public record RateLimitDeniedEvent(Denied denied) {}
