/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A bean that keys go through: {@code @seen.key(#caller.address)}. Knows which were counted. */
final class Seen {

    private final Queue<String> keys = new ConcurrentLinkedQueue<>();

    /** Gives the key back, and remembers it. */
    public @Nullable String key(@Nullable String key) {
        keys.add(String.valueOf(key));
        return key;
    }

    /** What was counted since the last look, in its order. */
    String look() {
        String all = keys.stream().collect(Collectors.joining(" "));
        keys.clear();
        return all;
    }
}
