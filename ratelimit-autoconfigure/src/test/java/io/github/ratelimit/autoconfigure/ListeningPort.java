/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A port on which nobody answers; it counts who connects. */
final class ListeningPort implements AutoCloseable {

    private final ServerSocket socket;
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch first = new CountDownLatch(1);

    ListeningPort() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread counting = new Thread(this::count);
        counting.setDaemon(true);
        counting.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    /** Whether somebody has connected, or does so soon. */
    boolean isConnectedTo() throws InterruptedException {
        return first.await(30, TimeUnit.SECONDS);
    }

    @SuppressWarnings("resource") // a connection is left open: whoever waits for an answer goes on waiting
    private void count() {
        try {
            while (true) {
                socket.accept();
                connections.incrementAndGet();
                first.countDown();
            }
        } catch (IOException closed) {
            return;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
