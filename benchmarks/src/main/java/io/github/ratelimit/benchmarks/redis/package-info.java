/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What goes to Redis, beside what others do there: a closed loop of callers, round by round. */
@NullMarked
package io.github.ratelimit.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
