/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often servers have run each command, the scripts' own included, since {@link #reset}. */
final class CommandStats {

    private static final Pattern LINE = Pattern.compile("cmdstat_([^:]+):calls=(\\d+),.*?(?:rejected_calls=(\\d+).*)?");

    private final List<RedisServer> servers;

    CommandStats(List<RedisServer> servers) {
        this.servers = servers;
    }

    void reset() {
        servers.forEach(server -> server.command("CONFIG", "RESETSTAT"));
    }

    /** How often each command ran, those of the administration and of clients that connect left out. */
    Map<String, Integer> calls() {
        Map<String, Integer> calls = new TreeMap<>();
        for (RedisServer server : servers) {
            String info = String.valueOf(Objects.requireNonNull(server.command("INFO", "commandstats")));
            info.lines()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .forEach(line -> calls.merge(line.group(1), Integer.parseInt(line.group(2)), Integer::sum));
        }
        calls.keySet()
                .removeIf(command -> command.startsWith("config")
                        || command.startsWith("client")
                        || command.startsWith("cluster")
                        || List.of("info", "hello", "auth", "ping", "select", "command", "readonly", "quit", "flushall")
                                .contains(command));
        return calls;
    }
}
