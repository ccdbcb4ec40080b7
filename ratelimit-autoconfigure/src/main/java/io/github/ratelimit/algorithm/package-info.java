/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The arithmetic of the algorithms: what a key has used, the instant, the call, and what follows. No clock and no I/O in
 * here: time is a parameter, in microseconds of the store's clock.
 *
 * <p>{@link io.github.ratelimit.algorithm.Usage} is the door: what one key has used of one limit, with everything that
 * holds for all algorithms. Behind it is one small {@code Counter} per algorithm. {@link
 * io.github.ratelimit.algorithm.Answers} puts numbers into a decision, for whoever counts elsewhere.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
