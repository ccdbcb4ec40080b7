/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one server and the one cluster that all tests of this JVM share.
 *
 * <p>Each is started when first asked for. Tests that stop, freeze or reconfigure a server start one of their own.
 */
public final class SharedRedis {

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static @Nullable RedisServer server;
    private static @Nullable RedisCluster cluster;

    private SharedRedis() {}

    /** The shared server; started if need be. */
    public static RedisServer server() {
        LOCK.lock();
        try {
            RedisServer known = server;
            if (known == null) {
                known = RedisServer.start();
                server = known;
            }
            return known;
        } finally {
            LOCK.unlock();
        }
    }

    /** The shared cluster of three masters; started if need be. */
    public static RedisCluster cluster() {
        LOCK.lock();
        try {
            RedisCluster known = cluster;
            if (known == null) {
                known = RedisCluster.start();
                cluster = known;
            }
            return known;
        } finally {
            LOCK.unlock();
        }
    }

    /** Deletes the data of what has been started. */
    static void flush() {
        LOCK.lock();
        try {
            if (server != null) {
                if (!server.isRunning()) {
                    server.restart();
                }
                server.flush();
            }
            if (cluster != null) {
                cluster.flush();
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Closes what has been started. */
    static void close() {
        LOCK.lock();
        try {
            if (server != null) {
                server.close();
            }
            if (cluster != null) {
                cluster.close();
            }
        } finally {
            server = null;
            cluster = null;
            LOCK.unlock();
        }
    }
}
