/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Slices as Spring Boot 4 has them. */
@NullMarked
package io.github.ratelimit.it.slice.boot4;

import org.jspecify.annotations.NullMarked;
