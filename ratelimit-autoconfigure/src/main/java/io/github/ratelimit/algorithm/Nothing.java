/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/** The limit of a counter that nobody has looked at yet. */
final class Nothing {

    static final Limit LIMIT = Limit.named("nothing").permits(1).build();

    private Nothing() {}
}
