/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes a cluster of servers that know nothing of each other. */
final class ClusterForming {

    private final RedisCluster cluster;
    private final List<RedisServer> masters;
    private final List<RedisServer> replicas;

    ClusterForming(RedisCluster cluster) {
        this.cluster = cluster;
        this.masters = cluster.masters();
        this.replicas = cluster.replicas();
    }

    /** Returns once every node says that the cluster is well and knows all replicas. */
    void run() {
        for (int i = 0; i < masters.size(); i++) {
            giveSlots(i);
        }
        meet();
        cluster.awaitOk();
        for (int i = 0; i < replicas.size(); i++) {
            String id = String.valueOf(masters.get(i % masters.size()).command("CLUSTER", "MYID"));
            replicas.get(i).command("CLUSTER", "REPLICATE", id);
        }
        awaitReplicas();
        cluster.awaitOk();
    }

    private void giveSlots(int i) {
        RedisServer master = masters.get(i);
        master.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        master.command(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(firstSlot(i), firstSlot(i + 1)).mapToObj(Integer::toString))
                .toArray(String[]::new));
    }

    /** The smallest slot whose number times masters reaches i times 16384: then {@code masterOf} is a division. */
    private int firstSlot(int i) {
        return (i * RedisCluster.SLOTS + masters.size() - 1) / masters.size();
    }

    /** Everyone meets everyone: waiting for gossip to spread the word takes seconds. */
    private void meet() {
        List<RedisServer> nodes = cluster.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            for (RedisServer other : nodes.subList(i + 1, nodes.size())) {
                nodes.get(i).command("CLUSTER", "MEET", other.host(), Integer.toString(other.port()));
            }
        }
    }

    private void awaitReplicas() {
        for (RedisServer replica : replicas) {
            Poll.until("data link of " + replica, RedisCluster.FORMING_TIME, () -> hasDataLink(replica));
        }
        for (RedisServer node : cluster.nodes()) {
            Poll.until("replicas known to " + node, RedisCluster.FORMING_TIME, () -> knowsReplicas(node));
        }
    }

    private static boolean hasDataLink(RedisServer replica) {
        String info = RedisCluster.ask(replica, "INFO", "replication");
        return RedisInfo.field(info, "master_link_status").equals("up");
    }

    private boolean knowsReplicas(RedisServer node) {
        return RedisCluster.ask(node, "CLUSTER", "NODES")
                        .lines()
                        .filter(line -> line.contains("slave"))
                        .count()
                == replicas.size();
    }
}
