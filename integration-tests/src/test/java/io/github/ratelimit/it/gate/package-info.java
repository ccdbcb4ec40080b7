/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The gate beside other people's advice, and with languages and libraries the library itself does without. */
@NullMarked
package io.github.ratelimit.it.gate;

import org.jspecify.annotations.NullMarked;
