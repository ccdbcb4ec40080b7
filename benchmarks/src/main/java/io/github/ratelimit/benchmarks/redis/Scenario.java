/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.util.List;
import java.util.stream.IntStream;

/** What the callers do. */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from toList
enum Scenario {
    HOT_ALLOWED("one key, allowed", 1, true),
    HOT_DENIED("one key, denied", 1, false),
    KEYS_ALLOWED("10,000 keys, allowed", 10_000, true),
    KEYS_DENIED("10,000 keys, denied", 10_000, false);

    /** Of a limit that denies: one permit in so long. */
    static final int DENYING_DAYS = 30;

    /** Of a limit that allows: far more a second than anybody can ask for. */
    static final long ALLOWING_PERMITS = 1_000_000;

    private final String title;
    private final List<String> keys;
    private final boolean allowed;

    Scenario(String title, int keys, boolean allowed) {
        this.title = title;
        this.allowed = allowed;
        this.keys = IntStream.range(0, keys).mapToObj(i -> "tenant-" + i).toList();
    }

    String title() {
        return title;
    }

    boolean isAllowed() {
        return allowed;
    }

    String key(int number) {
        return keys.get(Math.floorMod(number, keys.size()));
    }

    int keys() {
        return keys.size();
    }
}
