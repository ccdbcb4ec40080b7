/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;

/** Redis's own clock, but as far off as a key says: what a test can do to a clock that it cannot set. */
public final class SkewedClock {

    private static final String SECONDS = "{skew}seconds";
    private static final String TIME = "local time = redis.call('TIME')";

    private SkewedClock() {}

    /** A store by this clock. */
    public static RedisRateLimitStore store(RedisTransport transport, String keyPrefix) {
        return new RedisRateLimitStore(transport, keyPrefix, new Scripts(SkewedClock::inScript));
    }

    /** Moves the clock, as seen from the right time. */
    public static void set(RedisServer server, Duration off) {
        server.command("SET", SECONDS, "" + off.toSeconds());
    }

    private static String inScript(String script) {
        String skewed = TIME + " time[1] = time[1] + (redis.call('GET', '" + SECONDS + "') or 0)";
        return VirtualTime.replaceOnce(script, TIME, skewed);
    }
}
