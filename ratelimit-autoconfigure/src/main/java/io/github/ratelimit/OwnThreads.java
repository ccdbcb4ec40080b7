/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads of the library's own, which serve everybody: daemons, without what the call that happens to start them has at
 * hand.
 *
 * <p>What such a call hands down (a user's security context, say) would stay for as long as the thread, and go on to whatever
 * thread an executor starts from it, that of another user's call. Its class loader may be that of a web application that ends
 * before the library does, as on a management port of its own, and Tomcat would warn of the thread. So theirs is that of the
 * thread that made this factory.
 */
public final class OwnThreads implements ThreadFactory {

    private final String name;
    private final @Nullable ClassLoader loader;

    /** Threads of this name. */
    public OwnThreads(String name) {
        this.name = name;
        this.loader = Thread.currentThread().getContextClassLoader();
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        return thread;
    }
}
