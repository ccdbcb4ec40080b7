/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.limiter.PresentRequest;
import io.github.ratelimit.limiter.ServedRequest;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** What a caller's thread carries (security, tracing, the web request it serves), taken along to where its call goes on. */
interface CallerContext {

    Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    AtomicBoolean TOLD = new AtomicBoolean();

    /** Nothing is carried, where context-propagation is not there. */
    CallerContext NONE = new CallerContext() {
        @Override
        public <T> @Nullable T around(Supplier<@Nullable T> task) {
            return task.get();
        }
    };

    /** Runs a task as the caller. */
    <T> @Nullable T around(Supplier<@Nullable T> task);

    /** The present thread's context. */
    static CallerContext ofThread() {
        return withRequest(PresentRequest.get(), Presence.PRESENT ? Snapshots.of() : NONE);
    }

    /**
     * The present thread's context, and over it what a reactive context holds.
     *
     * @param request the web request that the reactive context names; null: the present thread's
     */
    static CallerContext of(Object reactiveContext, @Nullable ServedRequest request) {
        return withRequest(
                request == null ? PresentRequest.get() : request,
                Presence.PRESENT ? Snapshots.of(reactiveContext) : NONE);
    }

    private static CallerContext withRequest(@Nullable ServedRequest request, CallerContext caller) {
        return request == null
                ? caller
                : new CallerContext() {
                    @Override
                    public <T> @Nullable T around(Supplier<@Nullable T> task) {
                        return caller.around(() -> PresentRequest.during(request, task));
                    }
                };
    }

    /** The executor, running each task as the present caller. */
    static Executor restoredOn(Executor executor) {
        CallerContext caller = ofThread();
        return caller == NONE ? executor : task -> executor.execute(() -> runAs(caller, task));
    }

    /** Runs a task as the caller; as nobody, where the application's own code cannot restore who that was: somebody waits for it. */
    private static void runAs(CallerContext caller, Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            caller.around(() -> {
                begun.set(true);
                task.run();
                return null;
            });
        } catch (RuntimeException | Error failure) {
            if (begun.get()) {
                throw failure;
            }
            if (TOLD.compareAndSet(false, true)) {
                LOG.warn(
                        "What a caller's thread carried could not be restored; such calls go on without it. This is logged once.",
                        failure);
            }
            if (Presence.PRESENT) {
                Snapshots.clear();
            }
            task.run();
        }
    }

    /** Whether the library is there. */
    final class Presence {

        private static final boolean PRESENT = ClassUtils.isPresent(
                "io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

        private Presence() {}
    }

    /** Apart, so that it is loaded only where the library is. */
    final class Snapshots {

        private static final ContextSnapshotFactory FACTORY =
                ContextSnapshotFactory.builder().build();

        private Snapshots() {}

        /** What was restored of the caller before something could not be. */
        private static void clear() {
            for (ThreadLocalAccessor<?> accessor : ContextRegistry.getInstance().getThreadLocalAccessors()) {
                try {
                    accessor.setValue();
                } catch (RuntimeException | Error failure) {
                    LOG.debug("A thread's value could not be cleared", failure);
                }
            }
        }

        private static CallerContext of(Object... contexts) {
            ContextSnapshot snapshot = FACTORY.captureAll(contexts);
            return new CallerContext() {
                @Override
                @SuppressWarnings("try") // closing the scope is all it is there for
                public <T> @Nullable T around(Supplier<@Nullable T> task) {
                    try (ContextSnapshot.Scope scope = snapshot.setThreadLocals()) {
                        return task.get();
                    }
                }
            };
        }
    }
}
