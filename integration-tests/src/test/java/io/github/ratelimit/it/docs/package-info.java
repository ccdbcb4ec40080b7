/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The pages of the documentation, compiled, started and asked as they stand. */
@NullMarked
package io.github.ratelimit.it.docs;

import org.jspecify.annotations.NullMarked;
