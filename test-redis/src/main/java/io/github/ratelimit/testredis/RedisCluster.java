/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Redis Cluster of one's own: several {@link RedisServer}s that share the 16384 slots, replicas at will. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final Duration FORMING_TIME = Duration.ofSeconds(60);

    private final List<RedisServer> masters;
    private final List<RedisServer> replicas;
    private final DockerProcess.@Nullable Network network;

    private RedisCluster(
            List<RedisServer> masters, List<RedisServer> replicas, DockerProcess.@Nullable Network network) {
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
    public static Builder builder() {
        return new Builder();
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
        return RedisServer.field(info, "cluster_state").equals("ok")
                && RedisServer.field(info, "cluster_slots_ok").equals(Integer.toString(SLOTS))
                && RedisServer.field(info, "cluster_known_nodes")
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

    private void form() {
        for (int i = 0; i < masters.size(); i++) {
            int first = firstSlot(i);
            int end = firstSlot(i + 1);
            masters.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            masters.get(i)
                    .command(Stream.concat(
                                    Stream.of("CLUSTER", "ADDSLOTS"),
                                    IntStream.range(first, end).mapToObj(Integer::toString))
                            .toArray(String[]::new));
        }
        // Everyone meets everyone: waiting for gossip to spread the word takes seconds.
        List<RedisServer> nodes = nodes();
        for (int i = 0; i < nodes.size(); i++) {
            for (RedisServer other : nodes.subList(i + 1, nodes.size())) {
                nodes.get(i).command("CLUSTER", "MEET", other.host(), Integer.toString(other.port()));
            }
        }
        awaitOk();
        for (int i = 0; i < replicas.size(); i++) {
            RedisServer replica = replicas.get(i);
            String id = String.valueOf(masters.get(i % masters.size()).command("CLUSTER", "MYID"));
            replica.command("CLUSTER", "REPLICATE", id);
        }
        for (RedisServer replica : replicas) {
            Poll.until(
                    "data link of " + replica,
                    FORMING_TIME,
                    () -> RedisServer.field(ask(replica, "INFO", "replication"), "master_link_status")
                            .equals("up"));
        }
        for (RedisServer node : nodes) {
            Poll.until(
                    "replicas known to " + node,
                    FORMING_TIME,
                    () -> ask(node, "CLUSTER", "NODES")
                                    .lines()
                                    .filter(line -> line.contains("slave"))
                                    .count()
                            == replicas.size());
        }
        awaitOk();
    }

    /** Sends a command of the cluster's own administration; an error, as while loading, gives nothing. */
    private static String ask(RedisServer node, String... command) {
        try {
            return String.valueOf(node.command(command));
        } catch (RedisReplyException notYet) {
            return "";
        }
    }

    /** The smallest slot whose number times masters reaches i times 16384, so that {@link #masterOf} is a division. */
    private int firstSlot(int i) {
        return (i * SLOTS + masters.size() - 1) / masters.size();
    }

    /** Settings of a cluster to start. */
    public static final class Builder {

        private final Map<String, String> config = new LinkedHashMap<>();
        private @Nullable RedisSource source;
        private int masters = 3;
        private int replicasPerMaster;

        private Builder() {
            config("cluster-node-timeout", "5000");
            config("repl-diskless-sync-delay", "0");
        }

        /** Sets the number of masters; 3 without it. */
        public Builder masters(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("Masters: " + count);
            }
            this.masters = count;
            return this;
        }

        /** Sets the number of replicas of each master; none without it. */
        public Builder replicasPerMaster(int count) {
            if (count < 0) {
                throw new IllegalArgumentException("Replicas: " + count);
            }
            this.replicasPerMaster = count;
            return this;
        }

        /** Adds a setting of {@code redis.conf} to every node. */
        public Builder config(String name, String value) {
            config.put(name, value);
            return this;
        }

        /** Makes every node want a password. */
        public Builder password(String password) {
            return config("requirepass", password).config("masterauth", password);
        }

        /** Asks for this provider, whatever the system properties say. */
        public Builder provider(RedisProvider provider) {
            this.source = RedisSource.of(provider);
            return this;
        }

        /** Starts the nodes, joins them and returns once every one of them says {@code cluster_state:ok}. */
        public RedisCluster start() {
            RedisSource chosen = source == null ? RedisSource.fromSystemProperties() : source;
            int count = masters * (1 + replicasPerMaster);
            List<RedisServer> nodes = new ArrayList<>();
            DockerProcess.Network network = null;
            List<Integer> published = new ArrayList<>();
            try {
                if (chosen.provider() == RedisProvider.DOCKER) {
                    IntStream.range(0, count).forEach(i -> published.add(FreePorts.reserve(true)));
                    network = new DockerProcess.Network(published);
                }
                for (int i = 0; i < count; i++) {
                    RedisServer.Builder node =
                            RedisServer.builder().source(chosen).clusterNode(network);
                    config.forEach(node::config);
                    node.config("cluster-enabled", "yes").config("cluster-announce-ip", "127.0.0.1");
                    if (network != null) {
                        node.port(published.get(i));
                    }
                    nodes.add(node.start());
                }
                RedisCluster cluster =
                        new RedisCluster(nodes.subList(0, masters), nodes.subList(masters, count), network);
                cluster.form();
                return cluster;
            } catch (IOException | RuntimeException e) {
                nodes.forEach(RedisServer::close);
                if (network != null) {
                    network.close();
                }
                throw new IllegalStateException("The cluster did not start", e);
            }
        }
    }
}
