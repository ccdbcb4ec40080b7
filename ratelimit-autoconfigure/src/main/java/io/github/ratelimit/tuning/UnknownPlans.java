/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once for every plan name that does not exist, and of a bounded number of them: names may come from callers. */
final class UnknownPlans {

    private static final Logger log = LoggerFactory.getLogger(UnknownPlans.class);

    private static final int MOST_NAMES = 100;
    private static final int LONGEST_NAME = 100;

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    void warn(String limit, String plan, Collection<String> known) {
        if (warned.size() < MOST_NAMES && warned.add(shortened(plan))) {
            log.warn(
                    "Limit '{}' has no plan '{}' (it has {}): its base numbers hold. This is said once per plan name{}",
                    limit,
                    shortened(plan),
                    known.isEmpty() ? "none" : String.join(", ", known),
                    warned.size() < MOST_NAMES ? "." : ", and no more: there are too many.");
        }
    }

    /** What came from a caller must not forge a line of the log, nor fill it. */
    private static String shortened(String plan) {
        String printable = plan.replaceAll("\\p{Cntrl}|[\\u2028\\u2029]", "?");
        return printable.length() <= LONGEST_NAME ? printable : printable.substring(0, LONGEST_NAME) + "…";
    }
}
