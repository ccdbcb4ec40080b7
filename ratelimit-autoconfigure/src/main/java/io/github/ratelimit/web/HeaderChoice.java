/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

/**
 * Which headers answers carry.
 *
 * @param retryAfter when to come back, on refused answers
 * @param xRateLimit Limit, Remaining and Reset of the tightest limit
 * @param rateLimit the fields of the IETF draft, one item per limit
 * @param expose whether scripts from other origins may read them
 */
public record HeaderChoice(boolean retryAfter, boolean xRateLimit, boolean rateLimit, boolean expose) {}
