/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** HTTP, whatever the stack: who the caller is, which requests rules limit. */
@NullMarked
package io.github.ratelimit.web;

import org.jspecify.annotations.NullMarked;
