/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import java.time.Duration;
import java.util.Objects;

/**
 * How this application lets calls wait, as in {@code ratelimit.waiting}.
 *
 * @param leakyBucket the longest delay of a paced leaky bucket where neither the call nor the limit states a wait
 * @param blockedThreads how many platform threads may wait at once
 */
public record Waiting(Duration leakyBucket, int blockedThreads) {

    /** What holds unless the application says otherwise. */
    public static final Waiting DEFAULT = new Waiting(Duration.ofSeconds(5), 100);

    /** Checks the numbers. */
    public Waiting {
        Objects.requireNonNull(leakyBucket, "leakyBucket");
        Patience.check("ratelimit.waiting.leaky-bucket", leakyBucket);
        if (blockedThreads < 0) {
            throw new IllegalArgumentException(
                    "ratelimit.waiting.blocked-threads = %d is negative. Use 0 to let no".formatted(blockedThreads)
                            + " platform thread wait.");
        }
    }
}
