/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Slices of applications, whose annotations stand in other places on each Boot line: without limits, and with. */
@NullMarked
package io.github.ratelimit.it.slice;

import org.jspecify.annotations.NullMarked;
