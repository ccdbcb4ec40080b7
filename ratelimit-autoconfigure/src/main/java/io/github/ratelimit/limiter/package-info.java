/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The hall: one door for annotation, HTTP rule and code, where calls are decided, heard by listeners, and wait.
 */
@NullMarked
package io.github.ratelimit.limiter;

import org.jspecify.annotations.NullMarked;
