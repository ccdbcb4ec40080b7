/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The API of a shop. Its controllers run on Spring MVC and on WebFlux. */
@NullMarked
package io.github.ratelimit.sample.shop;

import org.jspecify.annotations.NullMarked;
