/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Decisions, waits and the store's health as Micrometer meters. The key is never a tag. */
@NullMarked
package io.github.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;
