/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The words that start a server: on loopback, keeping nothing, and with a token that tells it from any other. */
final class CommandLine {

    private CommandLine() {}

    static List<String> of(RedisSource source, int port, Path directory, String token, Map<String, String> config) {
        boolean local = source.provider() != RedisProvider.DOCKER;
        Map<String, String> all = new LinkedHashMap<>();
        all.put("port", Integer.toString(port));
        all.put("bind", local ? RedisServer.HOST : "0.0.0.0");
        all.put("protected-mode", local ? "yes" : "no");
        all.put("daemonize", "no");
        all.put("save", "");
        all.put("appendonly", "no");
        if (local) {
            all.put("dir", directory.toString());
        }
        all.put("dbfilename", token);
        all.putAll(config);
        List<String> words = new ArrayList<>();
        words.add(source.command());
        all.forEach((name, value) -> {
            words.add("--" + name);
            words.add(value);
        });
        return words;
    }
}
