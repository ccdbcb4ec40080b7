/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Denials and outages as the application can hear of them: lines for debugging, and application events. */
@NullMarked
package io.github.ratelimit.events;

import org.jspecify.annotations.NullMarked;
