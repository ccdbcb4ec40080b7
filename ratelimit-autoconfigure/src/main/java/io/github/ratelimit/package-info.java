/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The words: what a limit is, what a call takes of it, and what the answer says. No Spring in here.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;
