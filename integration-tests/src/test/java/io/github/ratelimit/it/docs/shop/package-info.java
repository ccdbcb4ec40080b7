/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the snippets of the pages take for granted. */
@NullMarked
package io.github.ratelimit.it.docs.shop;

import org.jspecify.annotations.NullMarked;
