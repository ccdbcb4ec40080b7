/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Runs rate limiting as data: sequences of calls with what must be answered. */
@NullMarked
package io.github.ratelimit.conformance;

import org.jspecify.annotations.NullMarked;
