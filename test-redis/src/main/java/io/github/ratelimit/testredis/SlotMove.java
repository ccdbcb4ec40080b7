/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A slot on its way from one master to another, step by step as {@code redis-cli --cluster reshard} takes it there. */
public final class SlotMove {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RedisCluster cluster;
    private final RedisServer from;
    private final RedisServer to;
    private final String slot;

    SlotMove(RedisCluster cluster, String key, RedisServer to) {
        this.cluster = cluster;
        this.from = cluster.masterOf(key);
        this.to = to;
        this.slot = text(from, "CLUSTER", "KEYSLOT", key);
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", text(from, "CLUSTER", "MYID"));
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", text(to, "CLUSTER", "MYID"));
    }

    /** The keys that have not been taken yet. */
    public List<String> left() {
        return ((List<?>) Objects.requireNonNull(from.command("CLUSTER", "GETKEYSINSLOT", slot, "1000")))
                .stream().map(String::valueOf).toList();
    }

    /** Takes a key along; from now on it is asked for at the new place, the others where they were. */
    public void take(String key) {
        from.command("MIGRATE", to.host(), "" + to.port(), key, "0", "" + PATIENCE.toMillis());
    }

    /** Whether anybody was sent to the new place for a key, and came. */
    public boolean isAskedFor() {
        return text(to, "INFO", "commandstats").contains("cmdstat_asking");
    }

    /** Has everybody know that the slot is at its new place, which itself knows first: nobody is sent to and fro. */
    public void finish() {
        String id = text(to, "CLUSTER", "MYID");
        Stream.concat(Stream.of(to, from), cluster.masters().stream())
                .distinct()
                .forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "NODE", id));
    }

    /** Leaves the slot where it was, and deletes all that its new place would have held. */
    public void abandon() {
        to.flush();
        List.of(from, to).forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "STABLE"));
    }

    private static String text(RedisServer server, String... command) {
        return String.valueOf(server.command(command));
    }
}
