/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Slices as Spring Boot 3 has them. */
@NullMarked
package io.github.ratelimit.it.slice.boot3;

import org.jspecify.annotations.NullMarked;
