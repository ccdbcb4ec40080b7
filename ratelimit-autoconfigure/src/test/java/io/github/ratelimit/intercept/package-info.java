/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Limited methods, called through real Spring contexts. */
@NullMarked
package io.github.ratelimit.intercept;

import org.jspecify.annotations.NullMarked;
