/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once for every override that a limit cannot work with, and of a bounded number of them. */
final class UnfitOverrides {

    private static final Logger log = LoggerFactory.getLogger(UnfitOverrides.class);

    private static final int MOST_WARNINGS = 100;

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    void warn(InvalidLimitException mistake) {
        if (warned.size() < MOST_WARNINGS && warned.add(mistake.limit() + mistake.value())) {
            log.warn("An override is ignored: {}", mistake.getMessage());
        }
    }
}
