/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Redis Cluster of one's own: several {@link RedisServer}s that share the 16384 slots, replicas at will. */
public final class RedisCluster implements AutoCloseable {

    static final int SLOTS = 16_384;
    static final Duration FORMING_TIME = Duration.ofSeconds(60);

    private final List<RedisServer> masters;
    private final List<RedisServer> replicas;
    private final DockerProcess.@Nullable Network network;

    RedisCluster(List<RedisServer> masters, List<RedisServer> replicas, DockerProcess.@Nullable Network network) {
        this.masters = List.copyOf(masters);
        this.replicas = List.copyOf(replicas);
        this.network = network;
    }

    /** Starts a cluster of three masters. */
    public static RedisCluster start() {
        return builder().start();
    }

    /** Starts a cluster of a single node: cluster rules, such as {@code CROSSSLOT}, at the price of one process. */
    public static RedisCluster startSingleNode() {
        return builder().masters(1).start();
    }

    /** Returns a builder for a cluster with settings of one's own. */
    public static RedisClusterBuilder builder() {
        return new RedisClusterBuilder();
    }

    /** All nodes: the masters as started, then the replicas. */
    public List<RedisServer> nodes() {
        return Stream.concat(masters.stream(), replicas.stream()).toList();
    }

    /** The nodes that were started as masters, in the order of their slots. */
    public List<RedisServer> masters() {
        return masters;
    }

    /** The nodes that were started as replicas, first one of each master, and so on. */
    public List<RedisServer> replicas() {
        return replicas;
    }

    /** Addresses of all nodes as {@code host:port,host:port}. */
    public String addresses() {
        return nodes().stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
    }

    /** The master that was given the slot of this key when the cluster was formed. */
    public RedisServer masterOf(String key) {
        Object slot = masters.get(0).command("CLUSTER", "KEYSLOT", key);
        if (slot instanceof Long number) {
            return masters.get((int) (number * masters.size() / SLOTS));
        }
        throw new IllegalStateException("Not a slot: " + slot);
    }

    /** A key whose slot this master was given when the cluster was formed. */
    public String keyOf(RedisServer master) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "key" + i)
                .filter(key -> masterOf(key).equals(master))
                .findFirst()
                .orElseThrow();
    }

    /** Begins to move the slot of this key from the master that was given it to another. */
    public SlotMove move(String key, RedisServer to) {
        return new SlotMove(this, key, to);
    }

    /** Deletes all data. */
    public void flush() {
        masters.forEach(RedisServer::flush);
    }

    /** Waits until every running node says that the whole cluster is well. */
    public void awaitOk() {
        List<RedisServer> running =
                nodes().stream().filter(RedisServer::isRunning).toList();
        for (RedisServer node : running) {
            Poll.until("cluster is ok for " + node, FORMING_TIME, () -> knowsAll(node));
        }
    }

    private boolean knowsAll(RedisServer node) {
        String info = ask(node, "CLUSTER", "INFO");
        return RedisInfo.field(info, "cluster_state").equals("ok")
                && RedisInfo.field(info, "cluster_slots_ok").equals(Integer.toString(SLOTS))
                && RedisInfo.field(info, "cluster_known_nodes")
                        .equals(Integer.toString(masters.size() + replicas.size()));
    }

    /** Ends all nodes and deletes their directories. */
    @Override
    public void close() {
        nodes().parallelStream().forEach(RedisServer::close);
        if (network != null) {
            network.close();
        }
    }

    /** Sends a command of the cluster's own administration; an error, as while loading, gives nothing. */
    static String ask(RedisServer node, String... command) {
        try {
            return String.valueOf(node.command(command));
        } catch (RedisReplyException notYet) {
            return "";
        }
    }
}
