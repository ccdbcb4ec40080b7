/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The actuator endpoint {@code ratelimits}: to see limits and keys, and to change numbers while the application runs. */
@NullMarked
package io.github.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
