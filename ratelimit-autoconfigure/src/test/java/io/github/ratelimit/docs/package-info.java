/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Holds the documents to what the library does. */
@NullMarked
package io.github.ratelimit.docs;

import org.jspecify.annotations.NullMarked;
