/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Numbers that change while running: what annotations and properties state, merged into limits and plans.
 */
@NullMarked
package io.github.ratelimit.tuning;

import org.jspecify.annotations.NullMarked;
