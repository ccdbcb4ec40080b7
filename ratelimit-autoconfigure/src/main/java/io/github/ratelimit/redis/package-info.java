/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Counters in Redis: one script and one trip per decision, one key per limit and key. The scripts are the {@code .lua}
 * files beside this package.
 */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
