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

/** The overrides that limits cannot work with: left out, with a warning once for each, and of a bounded number of them. */
final class UnfitOverrides {

    private static final Logger log = LoggerFactory.getLogger(UnfitOverrides.class);

    private static final int MOST_WARNINGS = 100;

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * What is stated without the overrides of limits that cannot work with them.
     *
     * @throws InvalidLimitException if no override is to blame
     */
    Definitions leaveOut(Definitions stated) {
        Definitions left = stated;
        while (true) {
            try {
                var unused = left.resolve();
                return left;
            } catch (InvalidLimitException mistake) {
                Overrides fewer = left.overrides().without(mistake.limit(), null);
                if (fewer.equals(left.overrides())) {
                    throw mistake;
                }
                warn(mistake);
                left = left.with(fewer);
            }
        }
    }

    private void warn(InvalidLimitException mistake) {
        if (warned.size() < MOST_WARNINGS && warned.add(mistake.limit() + mistake.value())) {
            log.warn("An override is ignored: {}", mistake.getMessage());
        }
    }
}
