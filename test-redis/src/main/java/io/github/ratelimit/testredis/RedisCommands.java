/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A blocking Redis connection for a few commands: one command, one reply; not for use by several threads at once. */
public final class RedisCommands implements AutoCloseable {

    private final Socket socket = new Socket();
    private final DataInputStream in;

    /** Connects; the time-out holds for connecting and then for each reply. */
    public RedisCommands(String host, int port, Duration timeout) {
        try {
            int millis = (int) Math.max(1, timeout.toMillis());
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("No connection to " + host + ":" + port, e);
        }
    }

    /** Connects on loopback, and logs in where there is a password. */
    static RedisCommands login(int port, @Nullable String password, Duration timeout) {
        RedisCommands connection = new RedisCommands(RedisServer.HOST, port, timeout);
        try {
            if (password != null) {
                connection.send("AUTH", password);
            }
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Sends one command and returns its reply: a {@link String} (read as UTF-8), a {@link Long}, a {@link List} of
     * such, or {@code null}.
     *
     * @throws RedisReplyException if the reply is an error
     */
    public @Nullable Object send(String... command) {
        return text(
                sendBytes(Stream.of(command).map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new)));
    }

    /** Sends one command and returns its reply like {@link #send}, with every bulk string as a {@code byte[]}. */
    public @Nullable Object sendBytes(byte[]... command) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
            for (byte[] word : command) {
                out.writeBytes(("$" + word.length + "\r\n").getBytes(UTF_8));
                out.writeBytes(word);
                out.writeBytes(new byte[] {'\r', '\n'});
            }
            socket.getOutputStream().write(out.toByteArray());
            Object reply = read();
            if (reply instanceof RedisReplyException error) {
                throw error;
            }
            return reply;
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("No reply from " + socket.getRemoteSocketAddress(), e);
        }
    }

    private @Nullable Object read() throws IOException {
        char type = (char) in.readUnsignedByte();
        String line = readLine();
        return switch (type) {
            case '+' -> line;
            case '-' -> new RedisReplyException(line);
            case ':' -> Long.valueOf(line);
            case '$' -> readBulk(Integer.parseInt(line));
            case '*' -> readArray(Integer.parseInt(line));
            default -> throw new ProtocolException("Not a Redis reply: " + type + line);
        };
    }

    private byte @Nullable [] readBulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bulk = new byte[length];
        in.readFully(bulk);
        in.skipNBytes(2);
        return bulk;
    }

    private @Nullable List<@Nullable Object> readArray(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(read());
        }
        return items;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
            line.write(b);
        }
        return line.toString(UTF_8).stripTrailing();
    }

    private static @Nullable Object text(@Nullable Object reply) {
        if (reply instanceof byte[] bulk) {
            return new String(bulk, UTF_8);
        }
        if (reply instanceof List<?> items) {
            List<@Nullable Object> texts = new ArrayList<>();
            items.forEach(item -> texts.add(text(item)));
            return texts;
        }
        return reply;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // nothing left to release
        }
    }
}
