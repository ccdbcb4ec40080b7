/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Limits in Spring WebFlux and before it: the present request, its headers, its refused answers. */
@NullMarked
package io.github.ratelimit.web.reactive;

import org.jspecify.annotations.NullMarked;
