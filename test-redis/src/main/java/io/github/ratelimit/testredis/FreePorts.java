/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out loopback ports that nobody listens on and that no other server of this JVM was given.
 *
 * <p>The range lies below the ephemeral ports, and so does the cluster bus port 10000 above, so that no outgoing
 * connection takes a port between our look and the server's start.
 */
final class FreePorts {

    /** Distance from a cluster node's port to its bus port. */
    static final int BUS_OFFSET = 10_000;

    private static final int FIRST = 12_000;
    private static final int LAST = 22_000;
    private static final int TRIES = 1_000;

    private static final Set<Integer> RESERVED = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    static int reserve(boolean withBus) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (RESERVED.add(port)) {
                if (isFree(port) && (!withBus || isFree(port + BUS_OFFSET))) {
                    return port;
                }
                RESERVED.remove(port);
            }
        }
        throw new IllegalStateException("No free port between " + FIRST + " and " + LAST);
    }

    static void release(int port) {
        RESERVED.remove(port);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
