/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/**
 * What is to be done once there may be limits that were not there before: changed properties hold, or a bean was made of a
 * class that nobody knew at the start.
 */
@FunctionalInterface
interface AfterChange {

    void changed();
}
