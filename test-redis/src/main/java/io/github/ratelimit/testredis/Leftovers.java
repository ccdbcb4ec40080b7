/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a shutdown hook still has to close: the last opened first. */
final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private static final Deque<Runnable> OPEN = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::closeAll, "test-redis-cleanup"));
    }

    private Leftovers() {}

    static void add(Runnable closing) {
        synchronized (OPEN) {
            OPEN.addFirst(closing);
        }
    }

    static void remove(Runnable closing) {
        synchronized (OPEN) {
            OPEN.remove(closing);
        }
    }

    private static void closeAll() {
        List<Runnable> open;
        synchronized (OPEN) {
            open = new ArrayList<>(OPEN);
        }
        for (Runnable closing : open) {
            try {
                closing.run();
            } catch (RuntimeException e) {
                LOG.warn("Could not clean up", e);
            }
        }
    }
}
