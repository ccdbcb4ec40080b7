/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.time.Duration;

/** The process behind a server, wherever it runs. */
interface ServerProcess {

    /** Starts it, or starts it again after it has ended. */
    void start() throws IOException;

    boolean isAlive();

    /** Its process id on this machine, or -1 if it has none here. */
    long pid();

    /** Asks it to end and ends it the hard way if it has not within the time given. */
    void stop(Duration grace);

    /** Ends it at once (SIGKILL). */
    void kill();

    /** Freezes it (SIGSTOP). */
    void pause();

    /** Lets it go on (SIGCONT). */
    void resume();

    /** What it has printed since its last start. */
    String log();

    /** Releases what is left after it has ended. */
    void dispose();
}
