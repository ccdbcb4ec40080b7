/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * From a call to its key, cost, condition and plan: expressions parsed once at start, evaluated at every call.
 */
@NullMarked
package io.github.ratelimit.expression;

import org.jspecify.annotations.NullMarked;
