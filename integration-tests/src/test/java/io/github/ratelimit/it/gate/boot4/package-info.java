/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What only Spring Boot 4 has. */
@NullMarked
package io.github.ratelimit.it.gate.boot4;

import org.jspecify.annotations.NullMarked;
