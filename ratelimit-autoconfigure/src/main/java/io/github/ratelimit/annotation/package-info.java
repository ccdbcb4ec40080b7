/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What users write: the annotations that put limits on methods and classes.
 */
@NullMarked
package io.github.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
