/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** An application that limits its calls. */
@NullMarked
package io.github.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
