/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The system's clock in microseconds since 1970, UTC: where windows begin is the same on every machine. */
final class SystemMicros implements LongSupplier {

    @Override
    public long getAsLong() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
