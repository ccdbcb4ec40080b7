/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

/**
 * Something a limit has besides its numbers, where it is not as usual.
 *
 * @param attribute its name, as in {@code application.yml}
 * @param text what it is and who stated it, as people are told: {@code penalty 30s (annotation)}
 */
public record Extra(String attribute, String text) {}
