/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/** What is to be done once changed properties hold: there may be limits that were not there before. */
@FunctionalInterface
interface AfterRefresh {

    void refreshed();
}
