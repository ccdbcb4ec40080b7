/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

/** What can be asked of the counters: one script file each. */
enum Operation {
    ACQUIRE("acquire", false),
    IN_TURN("in_turn", false),
    UP_TO("up_to", true),
    REFUND("refund", true),
    CANCEL("cancel", true),
    LOCK("lock", false);

    private final String file;
    private final boolean givesBack;

    Operation(String file, boolean givesBack) {
        this.file = file;
        this.givesBack = givesBack;
    }

    String file() {
        return file;
    }

    /** Whether the counters' second file is needed. */
    boolean givesBack() {
        return givesBack;
    }
}
