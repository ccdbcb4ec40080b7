/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What every store promises, tested on all of them. */
@NullMarked
package io.github.ratelimit.contract;

import org.jspecify.annotations.NullMarked;
