/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Counters in this JVM: {@link io.github.ratelimit.local.LocalRateLimitStore}, atomic, bounded, with its own clock.
 */
@NullMarked
package io.github.ratelimit.local;

import org.jspecify.annotations.NullMarked;
