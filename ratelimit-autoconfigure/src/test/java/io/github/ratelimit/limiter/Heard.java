/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a listener has heard, and on which threads. */
final class Heard implements RateLimitListener {

    final List<Decision> decisions = new CopyOnWriteArrayList<>();
    final List<Decision> waits = new CopyOnWriteArrayList<>();
    final List<Long> waitedNanos = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    public void onDecision(Decision decision) {
        decisions.add(decision);
        threads.add(Thread.currentThread().getName());
    }

    @Override
    public void onWait(Decision.Allowed decision, long nanos) {
        waits.add(decision);
        waitedNanos.add(nanos);
    }
}
