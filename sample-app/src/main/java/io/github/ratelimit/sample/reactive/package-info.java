/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What is different on WebFlux: the server, the threads, and controllers that answer with Mono and Flux. */
@NullMarked
package io.github.ratelimit.sample.reactive;

import org.jspecify.annotations.NullMarked;
