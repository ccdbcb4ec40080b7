/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Many threads and several stores at once: never one permit too many. */
@NullMarked
package io.github.ratelimit.concurrency;

import org.jspecify.annotations.NullMarked;
