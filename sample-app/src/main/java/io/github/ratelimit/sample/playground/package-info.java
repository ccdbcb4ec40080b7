/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The page that plays the same traffic through all five algorithms. */
@NullMarked
package io.github.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;
