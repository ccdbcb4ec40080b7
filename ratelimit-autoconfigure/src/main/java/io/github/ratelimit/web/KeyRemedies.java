/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.InvalidRateLimitKeyException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once per place, why requests are answered with 400 and what to do. No value of a request is told. */
public final class KeyRemedies {

    private static final Logger LOG = LoggerFactory.getLogger(KeyRemedies.class);
    private static final int MOST = 1_000;

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** Tells what refused a request, if that is a missing key and news. */
    public void tell(Refusal refusal) {
        if (refusal.exception() instanceof InvalidRateLimitKeyException noKey
                && told.size() < MOST
                && told.add(String.valueOf(noKey.getMessage()))) {
            LOG.warn(
                    "Requests are answered with 400: {} Let only requests through that have a key (after"
                            + " authentication, with the header), count the others by another expression, or exempt"
                            + " them with a condition. This is logged once.",
                    noKey.getMessage());
        }
    }
}
