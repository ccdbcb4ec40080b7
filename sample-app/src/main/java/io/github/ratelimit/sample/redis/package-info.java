/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Where the sample counts: on the Redis it finds, else on the bundled one, else in this JVM. */
@NullMarked
package io.github.ratelimit.sample.redis;

import org.jspecify.annotations.NullMarked;
