/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Whole applications: real servers, real HTTP, the built jar. */
@NullMarked
package io.github.ratelimit.it;

import org.jspecify.annotations.NullMarked;
