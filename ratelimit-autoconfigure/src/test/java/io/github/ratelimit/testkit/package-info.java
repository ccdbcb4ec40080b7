/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What tests of several rooms share: stores on a clock that the test moves. */
@NullMarked
package io.github.ratelimit.testkit;

import org.jspecify.annotations.NullMarked;
