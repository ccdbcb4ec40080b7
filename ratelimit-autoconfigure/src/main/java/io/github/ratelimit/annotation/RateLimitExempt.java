/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Frees a method of a class or interface that is {@link RateLimited} as a whole.
 *
 * <pre>{@code
 * @RateLimited("orders")
 * class OrderService {
 *
 *     Order find(long id) { ... }      // counted
 *
 *     @RateLimitExempt
 *     boolean isHealthy() { ... }      // not counted
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface RateLimitExempt {}
