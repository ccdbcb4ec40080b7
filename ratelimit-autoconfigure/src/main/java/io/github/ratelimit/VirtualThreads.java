/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Virtual threads, on a Java that has them; compiled for one that has not. Internal. */
public final class VirtualThreads {

    private static final @Nullable MethodHandle IS_VIRTUAL =
            find((lookup, type) -> lookup.findVirtual(Thread.class, "isVirtual", type), boolean.class);
    private static final @Nullable MethodHandle START = find(
            (lookup, type) -> lookup.findStatic(Thread.class, "startVirtualThread", type),
            Thread.class,
            Runnable.class);

    private VirtualThreads() {}

    private interface Finding {
        MethodHandle in(MethodHandles.Lookup lookup, MethodType type)
                throws NoSuchMethodException, IllegalAccessException;
    }

    /** Whether the current thread is a virtual one. */
    public static boolean isCurrent() {
        MethodHandle isVirtual = IS_VIRTUAL;
        if (isVirtual == null) {
            return false;
        }
        try {
            return (boolean) isVirtual.invokeExact(Thread.currentThread());
        } catch (Throwable unexpected) {
            throw new LinkageError("Thread.isVirtual", unexpected);
        }
    }

    /**
     * Whether a task on a virtual thread gets its turn even while others wait in a monitor. Before Java 24 these keep the
     * threads that carry virtual ones; if they wait for that very task, it never runs.
     */
    public static boolean areNotPinned() {
        return START != null && Runtime.version().feature() >= 24;
    }

    /** Runs a task on a virtual thread of its own; where there are none, on this thread. */
    public static void run(Runnable task) {
        MethodHandle start = START;
        if (start == null) {
            task.run();
            return;
        }
        try {
            var unused = (Thread) start.invokeExact(task);
        } catch (RuntimeException | Error refused) {
            throw refused;
        } catch (Throwable unexpected) {
            throw new LinkageError("Thread.startVirtualThread", unexpected);
        }
    }

    private static @Nullable MethodHandle find(Finding method, Class<?> returned, Class<?>... parameters) {
        try {
            return method.in(MethodHandles.publicLookup(), MethodType.methodType(returned, parameters));
        } catch (NoSuchMethodException | IllegalAccessException before21) {
            return null;
        }
    }
}
