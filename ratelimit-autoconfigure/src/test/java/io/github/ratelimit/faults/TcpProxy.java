/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The way to a server, on a port of its own, which can be slow, lossy, cut or shut. What it does to a connection holds for
 * what passes from then on.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int BUFFER = 16_384;
    private static final long LOOK_NANOS = 1_000_000;

    /** So long a reader has for the half that came: a reset may overtake what was not read. */
    private static final long HALF_READ_NANOS = 5_000_000;

    private final InetSocketAddress server;
    private final int port;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket listener;
    private volatile long delayNanos;
    private volatile boolean held;
    private volatile Reply reply = Reply.WHOLE;

    /** What becomes of a reply. */
    public enum Reply {
        WHOLE,
        /** None passes. */
        WITHHELD,
        /** The connection is reset when it comes, before a byte of it has passed. */
        RESET,
        /** Half of it passes, and then nothing more. */
        HALF,
        /** Half of it passes, and then the connection is reset. */
        HALF_AND_RESET
    }

    /** A way to this port of the loopback interface. */
    public TcpProxy(int serverPort) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
        this.listener = listen(0);
        this.port = listener.getLocalPort();
    }

    /** Its own port. */
    public int port() {
        return port;
    }

    /** Everything takes so much longer, each way. */
    public void delay(long millis) {
        delayNanos = millis * 1_000_000;
    }

    /** Nothing passes any more, on no connection, but nothing is lost either. */
    public void hold() {
        held = true;
    }

    /** Nothing passes any more on the connections there are; new ones are well. */
    public void holdPresentOnes() {
        lines.forEach(line -> line.heldForEver = true);
    }

    /** Replies from now on. */
    public void replies(Reply reply) {
        this.reply = reply;
    }

    /** Resets the connections there are, and refuses new ones. */
    public void shut() {
        close(listener);
        reset();
    }

    /** Resets the connections there are. */
    public void reset() {
        lines.forEach(Line::reset);
    }

    /** All is well again. */
    public void heal() {
        delayNanos = 0;
        held = false;
        reply = Reply.WHOLE;
        if (listener.isClosed()) {
            listener = listen(port);
        }
    }

    @Override
    public void close() {
        shut();
    }

    private ServerSocket listen(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            start(() -> accept(socket));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Line line = new Line(socket.accept());
                lines.add(line);
                start(line::connect);
            }
        } catch (IOException shut) {
            close(socket);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** One connection from end to end. */
    private final class Line {

        private final Socket client;
        private final Socket redis = new Socket();
        private volatile boolean heldForEver;

        Line(Socket client) {
            this.client = client;
        }

        void connect() {
            try {
                client.setTcpNoDelay(true);
                redis.setTcpNoDelay(true);
                redis.connect(server);
                start(() -> pump(client, redis, false));
                pump(redis, client, true);
            } catch (IOException refused) {
                reset();
            }
        }

        private void pump(Socket from, Socket to, boolean replies) {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[BUFFER];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    LockSupport.parkNanos(delayNanos);
                    while ((held || heldForEver || (replies && reply == Reply.WITHHELD)) && !from.isClosed()) {
                        LockSupport.parkNanos(LOOK_NANOS);
                    }
                    if (replies && reply == Reply.RESET) {
                        break;
                    }
                    Reply cut = replies ? reply : Reply.WHOLE;
                    out.write(buffer, 0, cut == Reply.WHOLE ? read : read / 2);
                    heldForEver |= cut == Reply.HALF;
                    if (cut == Reply.HALF_AND_RESET) {
                        LockSupport.parkNanos(HALF_READ_NANOS);
                        break;
                    }
                }
            } catch (IOException broken) {
                // both ends are closed below
            }
            reset();
        }

        /** Closes both ends at once and lets them know (RST). */
        void reset() {
            lines.remove(this);
            for (Socket end : new Socket[] {client, redis}) {
                try (end) {
                    end.setSoLinger(true, 0);
                } catch (IOException alreadyClosed) {
                    lines.remove(this);
                }
            }
        }
    }
}
