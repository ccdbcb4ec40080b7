/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Random histories that two stores must answer alike. */
@NullMarked
package io.github.ratelimit.parity;

import org.jspecify.annotations.NullMarked;
