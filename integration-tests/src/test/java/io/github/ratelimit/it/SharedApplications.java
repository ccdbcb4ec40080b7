/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** An application that the tests of a class share, one on each stack, started when the first of them asks. */
final class SharedApplications implements AutoCloseable {

    private final Map<WebStack, RunningApplication> running = new EnumMap<>(WebStack.class);
    private final Function<WebStack, RunningApplication> start;

    SharedApplications(Function<WebStack, RunningApplication> start) {
        this.start = start;
    }

    RunningApplication on(WebStack stack) {
        return running.computeIfAbsent(stack, start);
    }

    @Override
    public void close() {
        running.values().forEach(RunningApplication::close);
    }
}
