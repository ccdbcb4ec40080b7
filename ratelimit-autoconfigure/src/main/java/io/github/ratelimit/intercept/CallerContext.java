/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.concurrent.Executor;
import org.springframework.util.ClassUtils;

/** Takes what a caller's thread carries (security, tracing) along to where its call goes on. */
final class CallerContext {

    private static final boolean PRESENT =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    private CallerContext() {}

    /** The executor, restoring the present thread's context around each task where context-propagation is there. */
    static Executor restoredOn(Executor executor) {
        return PRESENT ? Snapshots.restoredOn(executor) : executor;
    }

    /** Apart, so that it is loaded only where the library is. */
    private static final class Snapshots {

        private static final ContextSnapshotFactory FACTORY =
                ContextSnapshotFactory.builder().build();

        static Executor restoredOn(Executor executor) {
            ContextSnapshot snapshot = FACTORY.captureAll();
            return task -> executor.execute(snapshot.wrap(task));
        }
    }
}
