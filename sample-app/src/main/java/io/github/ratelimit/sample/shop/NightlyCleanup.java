/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import static io.github.ratelimit.Algorithm.FIXED_WINDOW;

import io.github.ratelimit.annotation.RateLimited;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Scheduled on every instance, done by one: the first to come takes the night's only permit. */
@Component
class NightlyCleanup {

    private static final Logger log = LoggerFactory.getLogger(NightlyCleanup.class);

    @Scheduled(cron = "0 0 3 * * *")
    @RateLimited(name = "nightly-cleanup", algorithm = FIXED_WINDOW, permits = 1, period = "12h", fallback = "leaveIt")
    void cleanUp() {
        log.info("Cleaned up");
    }

    void leaveIt() {
        log.info("Another instance cleans up tonight");
    }
}
