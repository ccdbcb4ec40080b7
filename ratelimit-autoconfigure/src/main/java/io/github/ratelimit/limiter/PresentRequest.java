/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The web request that the present thread serves, for as long as somebody says so who knows. */
public final class PresentRequest {

    /** Where a reactive context holds it. */
    public static final String KEY = ServedRequest.class.getName();

    private static final ThreadLocal<@Nullable ServedRequest> CURRENT = new ThreadLocal<>();

    private PresentRequest() {}

    /** The present request; null outside one. */
    public static @Nullable ServedRequest get() {
        return CURRENT.get();
    }

    /** Makes a request the present one; null: none is. Whoever calls this sets back what was there before. */
    public static void set(@Nullable ServedRequest request) {
        if (request == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(request);
        }
    }

    /** Runs a task as part of a request; without one, as it is. */
    public static <T extends @Nullable Object> T during(@Nullable ServedRequest request, Supplier<T> task) {
        ServedRequest before = CURRENT.get();
        if (request == null || request == before) {
            return task.get();
        }
        CURRENT.set(request);
        try {
            return task.get();
        } finally {
            set(before);
        }
    }

    /** Runs a task as part of a request; without one, as it is. */
    public static void during(@Nullable ServedRequest request, Runnable task) {
        during(request, () -> {
            task.run();
            return true;
        });
    }

    /** The executor, running each task as part of the request that is present when the task is handed over. */
    public static Executor carriedBy(Executor executor) {
        return task -> {
            ServedRequest request = get();
            executor.execute(request == null ? task : () -> during(request, task));
        };
    }
}
