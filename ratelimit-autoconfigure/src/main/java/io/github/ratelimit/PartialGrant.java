/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/**
 * The answer to "as many as there are".
 *
 * @param granted how many permits were granted, from 0 to what was asked
 * @param decision allowed when something was granted (or nothing asked), else denied
 */
public record PartialGrant(long granted, Decision decision) {}
