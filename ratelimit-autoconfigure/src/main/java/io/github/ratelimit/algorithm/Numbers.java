/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

/**
 * The numbers by which a bucket was written, all that it counts by: they are named where the mark might be another's.
 *
 * @param burst how many permits the bucket holds
 * @param time how long so many permits take
 * @param permits so many permits
 */
record Numbers(long burst, long time, long permits) {}
