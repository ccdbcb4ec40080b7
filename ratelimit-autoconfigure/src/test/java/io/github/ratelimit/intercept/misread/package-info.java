/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** An annotation that Spring cannot read. */
@NullMarked
package io.github.ratelimit.intercept.misread;

import org.jspecify.annotations.NullMarked;
