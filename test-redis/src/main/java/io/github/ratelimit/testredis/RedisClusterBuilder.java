/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Settings of a cluster to start. */
public final class RedisClusterBuilder {

    private final Map<String, String> config = new LinkedHashMap<>();
    private @Nullable RedisSource source;
    private int masters = 3;
    private int replicasPerMaster;

    RedisClusterBuilder() {
        config("cluster-node-timeout", "5000");
        config("repl-diskless-sync-delay", "0");
    }

    /** Sets the number of masters; 3 without it. */
    public RedisClusterBuilder masters(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("Masters: " + count);
        }
        this.masters = count;
        return this;
    }

    /** Sets the number of replicas of each master; none without it. */
    public RedisClusterBuilder replicasPerMaster(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("Replicas: " + count);
        }
        this.replicasPerMaster = count;
        return this;
    }

    /** Adds a setting of {@code redis.conf} to every node. */
    public RedisClusterBuilder config(String name, String value) {
        config.put(name, value);
        return this;
    }

    /** Makes every node want a password. */
    public RedisClusterBuilder password(String password) {
        return config("requirepass", password).config("masterauth", password);
    }

    /** Asks for this provider, whatever the system properties say. */
    public RedisClusterBuilder provider(RedisProvider provider) {
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
                RedisServerBuilder node = RedisServer.builder().source(chosen).clusterNode(network);
                config.forEach(node::config);
                node.config("cluster-enabled", "yes").config("cluster-announce-ip", "127.0.0.1");
                if (network != null) {
                    node.port(published.get(i));
                }
                nodes.add(node.start());
            }
            RedisCluster cluster = new RedisCluster(nodes.subList(0, masters), nodes.subList(masters, count), network);
            new ClusterForming(cluster).run();
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
