/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitStoreAwayEvent;
import io.github.ratelimit.RateLimitStoreBackEvent;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hears of denials and outages by the application's events. */
@RestController
class Denials {

    private static final Logger log = LoggerFactory.getLogger(Denials.class);

    private final Map<String, LongAdder> byLimit = new ConcurrentHashMap<>();

    @EventListener
    void denied(RateLimitDeniedEvent event) {
        byLimit.computeIfAbsent(event.denied().limit(), limit -> new LongAdder())
                .increment();
    }

    @EventListener
    void away(RateLimitStoreAwayEvent event) {
        log.info("The shop goes on without Redis");
    }

    @EventListener
    void back(RateLimitStoreBackEvent event) {
        log.info("The shop counts on Redis again");
    }

    @GetMapping("/denials")
    Map<String, Long> soFar() {
        Map<String, Long> denials = new TreeMap<>();
        byLimit.forEach((limit, count) -> denials.put(limit, count.sum()));
        return denials;
    }
}
