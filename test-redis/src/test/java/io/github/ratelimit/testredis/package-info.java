/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the Redis for tests. */
@NullMarked
package io.github.ratelimit.testredis;

import org.jspecify.annotations.NullMarked;
