/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.limiter.Door;
import org.springframework.context.SmartLifecycle;

/** Lets those who wait at the door go before anything else is stopped: a web server waits for the requests it serves. */
final class DoorLifecycle implements SmartLifecycle {

    private final Door door;
    private volatile boolean running;

    DoorLifecycle(Door door) {
        this.door = door;
    }

    @Override
    public void start() {
        door.reopen();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        door.release();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The first to be stopped. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
