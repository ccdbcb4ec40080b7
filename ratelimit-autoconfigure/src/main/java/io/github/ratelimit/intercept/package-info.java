/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The gate: finds the annotations of a method, turns a call into what the door is asked, and lets the method run or not.
 */
@NullMarked
package io.github.ratelimit.intercept;

import org.jspecify.annotations.NullMarked;
