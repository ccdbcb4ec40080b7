/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks an address which Redis answers there. */
final class RedisProbe {

    private static final int PATIENCE_MILLIS = 1_000;
    private static final int MOST_BYTES = 64 * 1024;
    private static final Pattern VERSION = Pattern.compile("redis_version:((\\d+)\\.(\\d+)\\S*)");

    private RedisProbe() {}

    /**
     * The version of a Redis that can be counted on.
     *
     * @throws IOException saying why there is none
     */
    static String versionAt(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("INFO server\r\n".getBytes(US_ASCII));
            return usable(reply(new DataInputStream(socket.getInputStream())));
        }
    }

    private static String reply(DataInputStream input) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0 || head.length() > 200) {
                throw new IOException("what answers is no Redis");
            }
            head.append((char) next);
        }
        String line = head.toString().strip();
        if (line.startsWith("-")) {
            throw new IOException(line.substring(1));
        }
        if (!line.matches("\\$\\d{1,5}")) {
            throw new IOException("what answers is no Redis");
        }
        return new String(input.readNBytes(Math.min(MOST_BYTES, Integer.parseInt(line.substring(1)))), US_ASCII);
    }

    private static String usable(String info) throws IOException {
        Matcher version = VERSION.matcher(info);
        if (!version.find()) {
            throw new IOException("what answers is no Redis");
        }
        int major = Integer.parseInt(version.group(2));
        if (major < 6 || (major == 6 && Integer.parseInt(version.group(3)) < 2)) {
            throw new IOException("Redis " + version.group(1) + " is older than 6.2");
        }
        return version.group(1);
    }
}
